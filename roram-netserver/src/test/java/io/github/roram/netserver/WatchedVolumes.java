package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.netserver.VolumeBacking.MemoryBacking;
import io.github.roram.netserver.tls.CertificateDirectory;
import io.github.roram.storage.remote.LeaseKeeper;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.storage.remote.RemoteStore;
import io.github.roram.storage.remote.RemoteVolumes;
import io.github.roram.storage.tls.TlsFiles;
import io.github.roram.store.BlockStore;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.testkit.RecordingStore;
import io.github.roram.testkit.RecordingStore.Extent;
import io.github.roram.testkit.RecordingStore.Operation;
import io.github.roram.testkit.RecordingStore.Request;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Volumes of servers on loopback, one plain and one with TLS, for the suites of {@code
 * roram-suites}. When one is closed, it is checked that the server received what the store was
 * asked for: the same operations on the same bytes in the same order. So what those suites find out
 * about the view of a store holds for the view of the server.
 */
public final class WatchedVolumes {

  /** How a server is reached. */
  public enum Transport {
    /** Plain connections. */
    TCP,
    /** TLS with certificates on both sides. */
    TLS
  }

  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private static final List<RecordingStore> RECORDINGS = new CopyOnWriteArrayList<>();
  private static final Map<Transport, Server> SERVERS = new EnumMap<>(Transport.class);

  private WatchedVolumes() {}

  /** A new volume that ends when it is closed. */
  public static BlockStore newStore(Transport way, long capacityBytes) throws IOException {
    synchronized (RECORDINGS) {
      Server server = server(way);
      RemoteAddress address =
          new RemoteAddress(
              way == Transport.TLS,
              "127.0.0.1",
              server.blocks().address().getPort(),
              "v" + NUMBERS.incrementAndGet());
      RemoteVolumes.create(address, capacityBytes, server.options());
      RecordingStore received = RECORDINGS.remove(0);
      RemoteStore remote = RemoteStore.open(address, server.options(), LeaseKeeper.NONE);
      return new Checked(new RecordingStore(remote), received, address, server.options());
    }
  }

  /** A running server, and what its clients need. */
  private record Server(BlockServer blocks, RemoteOptions options) {}

  /** One for all stores: it ends with the process. */
  private static Server server(Transport way) throws IOException {
    Server running = SERVERS.get(way);
    if (running == null) {
      running =
          way == Transport.TLS ? startWithTls() : new Server(start(null), RemoteOptions.defaults());
      SERVERS.put(way, running);
    }
    return running;
  }

  private static Server startWithTls() throws IOException {
    Path directory = Files.createTempDirectory("certificates");
    directory.toFile().deleteOnExit(); // once it is empty: what is named last is deleted first
    CertificateDirectory certificates = new CertificateDirectory(directory, InstantSource.system());
    for (Path file : certificates.issue(List.of(), List.of("client"), 1)) {
      file.toFile().deleteOnExit();
    }
    TlsFiles mine = certificates.files("client");
    TlsFiles servers = certificates.files(CertificateDirectory.SERVER);
    return new Server(
        start(servers.serverContext(ClientAuth.REQUIRE)), RemoteOptions.defaults().withTls(mine));
  }

  private static BlockServer start(@Nullable SslContext sslContext) throws IOException {
    VolumeBacking recorded =
        new DecoratedBacking(
            new MemoryBacking(),
            store -> {
              RecordingStore recording = new RecordingStore(store);
              RECORDINGS.add(recording);
              return recording;
            });
    return BlockServer.start(ServerConfig.loopback(0, recorded).withSslContext(sslContext));
  }

  /** A piece of a read or write. */
  private record Step(Operation operation, Extent extent) {}

  private static final class Checked extends FilterBlockStore {
    private final RecordingStore asked;
    private final RecordingStore received;
    private final RemoteAddress address;
    private final RemoteOptions options;
    private boolean closed;

    Checked(
        RecordingStore asked,
        RecordingStore received,
        RemoteAddress address,
        RemoteOptions options) {
      super(asked);
      this.asked = asked;
      this.received = received;
      this.address = address;
      this.options = options;
    }

    @Override
    protected boolean letsReadsThrough() {
      return true;
    }

    @Override
    public void close() throws IOException {
      if (!closed) {
        closed = true;
        delegate.close();
        RemoteVolumes.delete(address, options);
        assertThat(steps(received.requests())).isEqualTo(steps(asked.requests()));
      }
    }

    /** What was done to which bytes, however it was cut. */
    private static List<Step> steps(List<Request> requests) {
      List<Step> steps = new ArrayList<>();
      for (Request request : requests) {
        if (request.operation() == Operation.SYNC) {
          steps.add(new Step(Operation.SYNC, new Extent(0, 0)));
        }
        for (Extent extent : request.extents()) {
          Step last = steps.isEmpty() ? null : steps.get(steps.size() - 1);
          if (last != null
              && last.operation() == request.operation()
              && last.extent().end() == extent.offset()) {
            Extent joined =
                new Extent(last.extent().offset(), last.extent().bytes() + extent.bytes());
            steps.set(steps.size() - 1, new Step(request.operation(), joined));
          } else {
            steps.add(new Step(request.operation(), extent));
          }
        }
      }
      return steps;
    }
  }
}
