package io.github.roram.netserver;

import io.github.roram.netserver.VolumeBacking.MemoryBacking;
import io.github.roram.storage.file.FileOptions;
import io.github.roram.storage.remote.LeaseKeeper;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.storage.remote.RemoteStore;
import io.github.roram.storage.remote.RemoteVolumes;
import io.github.roram.store.BlockStore;
import io.github.roram.testkit.BlockStoreContract;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** The contract of stores, over the network. */
final class RemoteStoresKeepTheContractTest {

  @TempDir Path directory;

  private @Nullable BlockServer server;

  @AfterEach
  void stopServer() {
    if (server != null) {
      server.close();
    }
  }

  private BlockStore connect(VolumeBacking backing) throws IOException {
    BlockServer started = BlockServer.start(ServerConfig.loopback(0, backing));
    server = started;
    RemoteVolumes.create(
        address(started), BlockStoreContract.CAPACITY_BYTES, RemoteOptions.defaults());
    return open(started);
  }

  private static RemoteAddress address(BlockServer of) {
    return new RemoteAddress(false, "127.0.0.1", of.address().getPort(), "volume");
  }

  private static BlockStore open(BlockServer of) throws IOException {
    return RemoteStore.open(address(of), RemoteOptions.defaults(), LeaseKeeper.NONE);
  }

  private Optional<BlockStore> reopened() throws IOException {
    return Optional.of(open(Objects.requireNonNull(server)));
  }

  @Nested
  final class InMemory extends BlockStoreContract {
    @Override
    protected BlockStore newStore() throws IOException {
      return connect(new MemoryBacking());
    }

    @Override
    protected Optional<BlockStore> reopen() throws IOException {
      return reopened();
    }
  }

  @Nested
  final class InFiles extends BlockStoreContract {
    @Override
    protected BlockStore newStore() throws IOException {
      return connect(new FileBacking(directory, FileOptions.defaults()));
    }

    @Override
    protected Optional<BlockStore> reopen() throws IOException {
      return reopened();
    }
  }
}
