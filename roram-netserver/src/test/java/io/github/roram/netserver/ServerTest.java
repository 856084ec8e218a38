package io.github.roram.netserver;

import io.github.roram.netserver.ServerLimits.VolumeLimits;
import io.github.roram.storage.file.FileOptions;
import io.github.roram.storage.remote.LeaseKeeper;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.storage.remote.RemoteStore;
import io.github.roram.storage.remote.RemoteVolumes;
import io.github.roram.store.ExtentBatch;
import io.github.roram.testkit.Batches;
import io.github.roram.testkit.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a server on files that can be stopped and started on the same port. */
abstract class ServerTest {

  static final int CAPACITY_BYTES = 4 << 20;
  static final int UNIT_BYTES = 5000;
  static final RemoteOptions OPTIONS =
      RemoteOptions.defaults()
          .withTimeouts(
              Duration.ofSeconds(5),
              Duration.ofSeconds(20),
              Duration.ofSeconds(20),
              Duration.ofSeconds(5));

  @TempDir Path directory;

  private BlockServer server;

  @BeforeEach
  final void startServer() throws IOException {
    server = BlockServer.start(config(Ports.free(1)));
    RemoteVolumes.create(address(), CAPACITY_BYTES, OPTIONS);
  }

  @AfterEach
  final void stopServer() {
    server.close();
  }

  ServerConfig config(int port) throws IOException {
    return ServerConfig.loopback(port, new FileBacking(directory, FileOptions.defaults()));
  }

  BlockServer server() {
    return server;
  }

  /** What was sent or stored is given back a moment after the client knows of it. */
  void awaitNothingBuffered() throws InterruptedException {
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (server.bufferedBytes() > 0) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(server.bufferedBytes() + " bytes are still buffered");
      }
      Thread.sleep(5);
    }
  }

  RemoteAddress address() {
    return new RemoteAddress(false, "127.0.0.1", server.address().getPort(), "volume");
  }

  RemoteStore open(RemoteOptions options) throws IOException {
    return RemoteStore.open(address(), options, LeaseKeeper.NONE);
  }

  /** The defaults but for these. */
  static ServerLimits limits(VolumeLimits volumes) {
    ServerLimits base = ServerLimits.defaults();
    return new ServerLimits(
        base.maxConnections(),
        base.maxPayloadBytes(),
        base.maxRequestBytes(),
        base.maxExtents(),
        base.maxRequests(),
        base.connectionBufferBytes(),
        base.totalBufferBytes(),
        base.reads(),
        base.handshakes(),
        volumes);
  }

  /** As if the process was killed and started again, perhaps with other settings. */
  void restart(Restart changes) throws IOException {
    int port = server.address().getPort();
    server.abort();
    server = BlockServer.start(changes.apply(config(port)));
  }

  void restart() throws IOException {
    restart(config -> config);
  }

  /** What is different after a restart. */
  @FunctionalInterface
  interface Restart {
    ServerConfig apply(ServerConfig config) throws IOException;
  }

  static ExtentBatch units(long offset, int units) {
    return Batches.of(UNIT_BYTES, offset, units);
  }
}
