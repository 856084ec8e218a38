package io.github.roram.ring;

import io.github.roram.store.AsyncBlockStore;
import io.github.roram.store.AsyncBucketStore;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.util.concurrent.CompletableFuture;

/** {@link RingBucketStore} on a store that is asked for many requests at a time. */
final class AsyncRings implements AsyncBucketStore {

  private final RingBucketStore rings;
  private final AsyncBlockStore store;

  /** The same rings on the same store, which it closes. */
  AsyncRings(RingBucketStore rings, AsyncBlockStore store) {
    this.rings = rings;
    this.store = store;
  }

  @Override
  public CompletableFuture<Void> read(BucketRuns runs, UnitSink sink) {
    return store.read(batch(runs), sink);
  }

  @Override
  public CompletableFuture<Void> write(BucketRuns runs, UnitSource source) {
    return store.write(batch(runs), source);
  }

  private ExtentBatch batch(BucketRuns runs) {
    ExtentBatch batch = new ExtentBatch();
    rings.addExtents(runs, batch);
    return batch;
  }

  @Override
  public CompletableFuture<Void> sync() {
    return store.sync();
  }

  @Override
  public void close() {
    store.close();
  }

  @Override
  public String toString() {
    return rings + ", asynchronous";
  }
}
