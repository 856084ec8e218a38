package io.github.roram.engine;

import io.github.roram.ClientMemory;
import io.github.roram.OramStats;
import io.github.roram.checkpoint.StateCopy;
import java.io.DataInput;
import java.io.IOException;
import java.util.List;

/**
 * A scheme at work on one store: it makes accesses. Everything around them is done for it: one
 * access at a time, checked against the limits before anything happens; opening, checkpoints,
 * recovery and closing. What else an engine can do it says by the interfaces that it implements:
 * {@link Noting} or {@link Journalled}, {@link Scattering}, {@link Verifiable}, {@link Scannable},
 * {@link BulkLoadable}, {@link Rekeyable}.
 *
 * <p>Not thread safe: calls come one after another.
 */
public interface Engine {

  /**
   * One access, within bounds: reads the blocks of a transfer and moves their bytes. What the store
   * sees must not depend on which way they move.
   *
   * @return number of accesses that the store saw
   * @throws IOException if the store failed; the access may be repeated
   */
  int access(Transfer transfer) throws IOException;

  /**
   * Refuses further accesses where the client holds more than it may.
   *
   * @throws io.github.roram.StashOverflowException if so
   */
  default void checkRoom() {}

  /** Completes what an earlier access left undone; nothing if it succeeded. */
  default void completePending() throws IOException {}

  /** Returns once all that accesses wrote to the store is durable. */
  void syncBuckets() throws IOException;

  /** Whether an earlier access left a read undone. */
  default boolean isPending() {
    return false;
  }

  /** Whether {@link #copyState} saves what {@link #completePending} could not complete. */
  default boolean savesPending() {
    return false;
  }

  /** What each tree did and holds; empty for schemes without trees. */
  default List<OramStats.TreeStats> treeStats() {
    return List.of();
  }

  /**
   * What the client holds in memory now, without journal and checkpoint: by the items of {@link
   * io.github.roram.Scheme#clientMemory}.
   */
  default ClientMemory heldMemory() {
    return ClientMemory.UNKNOWN;
  }

  /** Adds what the client must remember, as it is now. Its length must not tell what was done. */
  void copyState(StateCopy state) throws IOException;

  /** Loads what {@link #copyState} saved. A new store has none: it begins as constructed. */
  void readState(DataInput in) throws IOException;

  /** Ends helping threads, and overwrites all data that the client holds. */
  void wipe();
}
