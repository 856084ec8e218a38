package io.github.roram.engine;

import java.util.concurrent.Executor;

/** An engine of which several accesses may be under way, on a store that is asked for many. */
public interface Overlapping {

  /** Whether it can, as it was configured. */
  default boolean canOverlap() {
    return true;
  }

  /**
   * Begins to make accesses that overlap. As long as any is under way, nothing else is asked of the
   * engine that reads or changes the store.
   *
   * @param turns runs one thing at a time, in order; all calls of what is returned are made on it
   * @param changed is run on a turn when a read arrived or failed, or evictions ended
   */
  Overlap overlap(Executor turns, Runnable changed);
}
