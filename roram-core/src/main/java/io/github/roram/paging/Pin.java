package io.github.roram.paging;

/** Keeps pages in the working set until it is closed. Thread safe. */
public final class Pin implements AutoCloseable {

  private final Runnable unpin;
  private boolean closed;

  Pin(Runnable unpin) {
    this.unpin = unpin;
  }

  /** Unpins the pages, so that later faults may replace them. Idempotent. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      unpin.run();
    }
  }
}
