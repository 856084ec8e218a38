package io.github.roram.storage.link;

import java.util.concurrent.CompletableFuture;

/** The time in which a link works. */
public interface LinkTime {

  /** Now, in nanoseconds since some moment. */
  long nanoTime();

  /**
   * Runs something at a time, or at once if it is past. Tasks of one time run in the order in which
   * they were given.
   */
  void at(long nanoTime, Runnable task);

  /** Waits until a future has completed, however it did. */
  void await(CompletableFuture<?> future);
}
