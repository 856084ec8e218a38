package io.github.roram.auditor.time;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;

/**
 * A store whose holder has a clock: when requests come, less the time that he takes himself. For
 * requests of one thread at a time.
 */
final class TimedStore extends FilterBlockStore {

  /** Is told the times of an access once the next one begins, in nanoseconds. */
  interface Listener {
    /**
     * An access was seen.
     *
     * @param inside from its first request to its last, without what the store took
     * @param whole from its first request to that of the next access, without it
     * @param gap the same with it
     */
    void access(long inside, long whole, long gap);
  }

  private final Listener listener;
  private boolean begins;
  private long first;
  private long last;
  private long inStore;
  private long inStoreAtLast;

  TimedStore(BlockStore delegate, Listener listener) {
    super(delegate);
    this.listener = listener;
  }

  /** The next request is the first of an access. */
  synchronized void accessBegins() {
    begins = true;
  }

  private synchronized long asked() {
    long now = System.nanoTime();
    if (begins) {
      if (first != 0) {
        listener.access(last - first - inStoreAtLast, now - first - inStore, now - first);
      }
      begins = false;
      first = now;
      inStore = 0;
    }
    last = now;
    inStoreAtLast = inStore;
    return now;
  }

  private synchronized void answered(long asked) {
    inStore += System.nanoTime() - asked;
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    long asked = asked();
    delegate.read(batch, sink);
    answered(asked);
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    long asked = asked();
    delegate.write(batch, source);
    answered(asked);
  }

  @Override
  public void sync() throws IOException {
    long asked = asked();
    delegate.sync();
    answered(asked);
  }
}
