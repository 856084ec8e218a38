package io.github.roram.store;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** Makes any store an {@link AsyncBlockStore}: a thread of a pool waits for each request. */
final class PooledBlockStore implements AsyncBlockStore {

  private final BlockStore store;
  private final RequestPool pool;

  PooledBlockStore(BlockStore store, int threads) {
    this.store = Objects.requireNonNull(store);
    pool = new RequestPool(threads);
  }

  @Override
  public long capacityBytes() {
    return store.capacityBytes();
  }

  @Override
  public CompletableFuture<Void> read(ExtentBatch batch, UnitSink sink) {
    return pool.submit(() -> store.read(batch, sink));
  }

  @Override
  public CompletableFuture<Void> readXor(ExtentBatch batch, XorGroups groups, UnitSink results) {
    return pool.submit(() -> store.readXor(batch, groups, results));
  }

  @Override
  public CompletableFuture<Void> write(ExtentBatch batch, UnitSource source) {
    return pool.submit(() -> store.write(batch, source));
  }

  @Override
  public CompletableFuture<Void> sync() {
    return pool.submit(store::sync);
  }

  @Override
  public void close() {
    pool.close();
  }

  @Override
  public String toString() {
    return store + ", asynchronous by " + pool.threads() + " threads";
  }
}
