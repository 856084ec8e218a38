package io.github.roram.engine;

import java.util.concurrent.Executor;

/** An engine that can have several accesses in flight, on a store that takes many requests. */
public interface Overlapping {

  /** Returns whether the engine's configuration allows overlapping accesses. */
  default boolean canOverlap() {
    return true;
  }

  /**
   * Starts to make overlapping accesses. While any is in flight, no other method of the engine that
   * reads or changes the store is called.
   *
   * @param turns runs one task at a time, in order; all calls of the result are made on it
   * @param changed runs on a turn when a read has arrived or failed, or evictions have ended
   */
  Overlap overlap(Executor turns, Runnable changed);
}
