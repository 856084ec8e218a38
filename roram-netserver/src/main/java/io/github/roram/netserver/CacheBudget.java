package io.github.roram.netserver;

/** The memory that all volumes have for their top levels. Thread safety: safe. */
final class CacheBudget {

  private final ServerObserver observer;
  private final long totalBytes;
  private long heldBytes;

  CacheBudget(long totalBytes, ServerObserver observer) {
    this.totalBytes = totalBytes;
    this.observer = observer;
  }

  /** Is told what comes from the memory and what does not. */
  ServerObserver observer() {
    return observer;
  }

  /** Takes as much; false if there is less. */
  synchronized boolean take(long bytes) {
    if (bytes > totalBytes - heldBytes) {
      return false;
    }
    heldBytes += bytes;
    observer.cacheHolds(heldBytes);
    return true;
  }

  /** Gives back what was taken. */
  synchronized void give(long bytes) {
    heldBytes -= bytes;
    observer.cacheHolds(heldBytes);
  }
}
