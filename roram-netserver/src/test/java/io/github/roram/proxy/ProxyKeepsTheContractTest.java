package io.github.roram.proxy;

import io.github.roram.AsyncOram;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.testkit.AsyncOramContract;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** What a client of a proxy gets is an asynchronous ORAM as others are. */
final class ProxyKeepsTheContractTest extends AsyncOramContract {

  @Override
  protected OramConfig configuration() {
    return TestProxy.CONFIG;
  }

  @Override
  protected BlockStore newStore(long capacityBytes) {
    return new MemoryStore(capacityBytes);
  }

  @Override
  protected AsyncOram open(
      BlockStore store, ClientVault vault, OramConfig config, MasterKey key, boolean create)
      throws IOException {
    Oram oram = create ? Orams.create(store, vault, config, key) : Orams.open(store, vault, key);
    TestProxy proxy = TestProxy.of(Orams.queued(oram, UNDER_WAY), ProxyConfig.defaultLimits());
    return new WithProxy(proxy, proxy.connect());
  }

  /** A client that is closed with its proxy. */
  private record WithProxy(TestProxy proxy, AsyncOram client) implements AsyncOram {
    @Override
    public OramConfig config() {
      return client.config();
    }

    @Override
    public CompletableFuture<Void> readBytes(long offset, int leastBlocks, ByteBuffer target) {
      return client.readBytes(offset, leastBlocks, target);
    }

    @Override
    public CompletableFuture<Void> updateBytes(long offset, int leastBlocks, ByteBuffer source) {
      return client.updateBytes(offset, leastBlocks, source);
    }

    @Override
    public CompletableFuture<Void> flush() {
      return client.flush();
    }

    @Override
    public OramStats stats() {
      return client.stats();
    }

    @Override
    public void close() throws IOException {
      client.close();
      proxy.close();
    }
  }
}
