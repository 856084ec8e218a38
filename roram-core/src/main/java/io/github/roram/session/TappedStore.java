package io.github.roram.session;

import io.github.roram.engine.StoreImage;
import io.github.roram.store.AsyncBlockStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import io.github.roram.store.XorGroups;
import io.github.roram.threads.OwnedThreads;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;

/**
 * The store of an open ORAM. It reports what is about to be overwritten, so that a {@linkplain
 * StoreImage#tap backup} can keep it. The store below gets the same requests as without a tap.
 *
 * <p>Thread safety: as safe as the delegate.
 */
final class TappedStore extends FilterBlockStore {

  private final List<StoreImage.Tap> taps = new CopyOnWriteArrayList<>();

  TappedStore(BlockStore store) {
    super(store);
  }

  /** Reports all writes to a tap until the returned handle is closed. */
  Closeable tap(StoreImage.Tap tap) {
    taps.add(tap);
    return () -> taps.remove(tap);
  }

  /** Returns whether a tap must be told of a write. */
  private boolean isTold(ExtentBatch batch) {
    for (StoreImage.Tap tap : taps) {
      if (tap.lacks(batch)) {
        return true;
      }
    }
    return false;
  }

  private void tell(ExtentBatch batch) {
    for (StoreImage.Tap tap : taps) {
      tap.overwriting(batch);
    }
  }

  @Override
  protected boolean letsReadsThrough() {
    return true;
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    if (isTold(batch)) {
      tell(batch);
    }
    delegate.write(batch, source);
  }

  @Override
  public AsyncBlockStore async(int requests) {
    return new Async(delegate.async(requests), requests);
  }

  @Override
  public String toString() {
    return delegate.toString();
  }

  /** The asynchronous store, which calls the taps on threads of its own, because a tap may wait. */
  private final class Async implements AsyncBlockStore {
    private final AsyncBlockStore store;
    private final OwnedThreads threads = new OwnedThreads();
    private final Executor telling;

    Async(AsyncBlockStore store, int requests) {
      this.store = store;
      telling = threads.pool("roram-tap", requests);
    }

    @Override
    public long capacityBytes() {
      return store.capacityBytes();
    }

    @Override
    public CompletableFuture<Void> read(ExtentBatch batch, UnitSink sink) {
      return store.read(batch, sink);
    }

    @Override
    public CompletableFuture<Void> readXor(ExtentBatch batch, XorGroups groups, UnitSink results) {
      return store.readXor(batch, groups, results);
    }

    @Override
    public CompletableFuture<Void> write(ExtentBatch batch, UnitSource source) {
      if (!isTold(batch)) {
        return store.write(batch, source);
      }
      return CompletableFuture.runAsync(() -> tell(batch), telling)
          .thenCompose(told -> store.write(batch, source));
    }

    @Override
    public CompletableFuture<Void> sync() {
      return store.sync();
    }

    @Override
    public void close() {
      threads.end();
      store.close();
    }
  }
}
