package io.github.roram.proxy;

import io.github.roram.AsyncOram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.intake.IntakeLimits;
import io.github.roram.open.Orams;
import io.github.roram.proxy.client.ProxyAddress;
import io.github.roram.proxy.client.ProxyClient;
import io.github.roram.proxy.client.ProxyOptions;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ClientVault;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;

/** A proxy over an ORAM in memory, on loopback. */
final class TestProxy implements Closeable {

  static final OramConfig CONFIG =
      OramConfig.builder(90).blockBytes(512).maxRangeBlocks(8).treetopBytes(0).build();

  private final AsyncOram oram;
  private final ProxyServer server;

  private TestProxy(AsyncOram oram, ProxyConfig config) throws IOException {
    this.oram = oram;
    server = ProxyServer.start(config, oram);
  }

  static TestProxy of(AsyncOram oram, IntakeLimits limits) throws IOException {
    return new TestProxy(oram, ProxyConfig.anyoneOnThisMachine(0).withLimits(limits));
  }

  static TestProxy of(AsyncOram oram, ProxyConfig config) throws IOException {
    return new TestProxy(oram, config);
  }

  /** An ORAM of its own. */
  static AsyncOram newOram() throws IOException {
    try (MasterKey key = MasterKey.generate()) {
      return Orams.queued(
          Orams.create(
              new MemoryStore(Orams.storeBytes(CONFIG)), ClientVault.inMemory(), CONFIG, key),
          64);
    }
  }

  ProxyServer server() {
    return server;
  }

  static ProxyAddress address(ProxyServer of) {
    return new ProxyAddress("127.0.0.1", of.address().getPort());
  }

  ProxyAddress address() {
    return address(server);
  }

  /** A client that does not connect again. */
  ProxyClient connect() throws IOException {
    return ProxyClient.connect(address(), ProxyOptions.defaults().withAgain(Duration.ZERO));
  }

  @Override
  public void close() throws IOException {
    server.close();
    oram.close();
  }
}
