package io.github.roram.store;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** Makes any store an {@link AsyncBucketStore}: a thread of a pool waits for each request. */
final class PooledBucketStore implements AsyncBucketStore {

  private final BucketStore store;
  private final RequestPool pool;

  PooledBucketStore(BucketStore store, int threads) {
    this.store = Objects.requireNonNull(store);
    pool = new RequestPool(threads);
  }

  @Override
  public CompletableFuture<Void> read(BucketRuns runs, UnitSink sink) {
    return pool.submit(() -> store.read(runs, sink));
  }

  @Override
  public CompletableFuture<Void> readXor(BucketRuns runs, XorGroups groups, UnitSink results) {
    return pool.submit(() -> store.readXor(runs, groups, results));
  }

  @Override
  public CompletableFuture<Void> write(BucketRuns runs, UnitSource source) {
    return pool.submit(() -> store.write(runs, source));
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
