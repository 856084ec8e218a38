package io.github.roram.netserver;

import io.github.roram.netserver.VolumeBacking.MemoryBacking;
import io.github.roram.netserver.tls.CertificateDirectory;
import io.github.roram.storage.file.FileOptions;
import io.github.roram.storage.remote.LeaseKeeper;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.storage.remote.RemoteStore;
import io.github.roram.storage.remote.RemoteVolumes;
import io.github.roram.storage.tls.TlsFiles;
import io.github.roram.store.AsyncBlockStore;
import io.github.roram.testkit.AsyncBlockStoreContract;
import io.netty.handler.ssl.ClientAuth;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** The contract of asynchronous stores, over the network and without a thread a request. */
final class RemoteAsyncStoresKeepTheContractTest {

  @TempDir static Path certificates;

  @TempDir Path directory;

  @BeforeAll
  static void issueCertificates() throws IOException {
    new CertificateDirectory(certificates, InstantSource.system())
        .issue(List.of(), List.of("client"), 1);
  }

  private static TlsFiles files(String name) {
    return new CertificateDirectory(certificates, InstantSource.system()).files(name);
  }

  /** A volume of a server. */
  abstract static class Remote extends AsyncBlockStoreContract {
    private @Nullable BlockServer server;
    private @Nullable RemoteStore store;

    abstract ServerConfig config() throws IOException;

    RemoteOptions options() {
      return RemoteOptions.defaults();
    }

    @Override
    protected final AsyncBlockStore newStore(int requests) throws IOException {
      RemoteStore opened = store;
      if (opened == null) {
        ServerConfig config = config();
        BlockServer started = BlockServer.start(config);
        server = started;
        boolean tls = config.sslContext() != null;
        RemoteAddress address =
            new RemoteAddress(tls, "127.0.0.1", started.address().getPort(), "volume");
        RemoteVolumes.create(address, CAPACITY_BYTES, options());
        opened = RemoteStore.open(address, options(), LeaseKeeper.NONE);
        store = opened;
      }
      return opened.async(requests);
    }

    @Override
    protected final void closeBelow() {
      if (store != null) {
        store.close();
      }
      if (server != null) {
        server.close();
      }
    }
  }

  @Nested
  final class OverTcp extends Remote {
    @Override
    ServerConfig config() throws IOException {
      return ServerConfig.loopback(0, new MemoryBacking());
    }
  }

  /** Which syncs by itself all the time, and lets few writes be under way. */
  @Nested
  final class KeepingLittle extends Remote {
    @Override
    ServerConfig config() throws IOException {
      return ServerConfig.loopback(0, new FileBacking(directory, FileOptions.defaults()));
    }

    @Override
    RemoteOptions options() {
      return RemoteOptions.defaults().withMemory(200_000, 100_000);
    }
  }

  @Nested
  final class OverTls extends Remote {
    @Override
    ServerConfig config() throws IOException {
      TlsFiles servers = files(CertificateDirectory.SERVER);
      return ServerConfig.loopback(0, new MemoryBacking())
          .withSslContext(servers.serverContext(ClientAuth.REQUIRE));
    }

    @Override
    RemoteOptions options() {
      return RemoteOptions.defaults().withTls(files("client"));
    }
  }
}
