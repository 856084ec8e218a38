package io.github.roram.engine;

import io.github.roram.ClientMemory;
import io.github.roram.OramStats;
import io.github.roram.checkpoint.StateCopy;
import java.io.DataInput;
import java.io.IOException;
import java.util.List;

/**
 * A scheme at work on one store, which makes accesses. Its caller makes one access at a time,
 * checks arguments before, and handles opening, checkpoints, recovery and closing. An engine
 * declares further abilities by the interfaces that it implements: {@link Noting} or {@link
 * Journalled}, {@link Scattering}, {@link Verifiable}, {@link Scannable}, {@link BulkLoadable},
 * {@link Rekeyable}.
 *
 * <p>Not thread safe: calls come one after another.
 */
public interface Engine {

  /**
   * Makes one access, within bounds: reads the blocks of a transfer and moves their bytes. What the
   * store sees must not depend on the direction.
   *
   * @return the number of accesses that the store saw
   * @throws IOException if the store failed; the access may be repeated
   */
  int access(Transfer transfer) throws IOException;

  /**
   * Refuses further accesses if the client holds more blocks than the stash limit allows.
   *
   * @throws io.github.roram.StashOverflowException if it does
   */
  default void checkRoom() {}

  /** Completes what a failed access left undone; does nothing if it succeeded. */
  default void completePending() throws IOException {}

  /** Returns once everything that accesses wrote to the store is durable. */
  void syncBuckets() throws IOException;

  /** Returns whether a failed access left a read undone. */
  default boolean isPending() {
    return false;
  }

  /** Returns whether {@link #copyState} saves pending work that could not be completed. */
  default boolean savesPending() {
    return false;
  }

  /** Returns the counters of each tree; empty for schemes without trees. */
  default List<OramStats.TreeStats> treeStats() {
    return List.of();
  }

  /**
   * Returns the memory that the client takes now, without journal and checkpoint, by the items of
   * {@link io.github.roram.Scheme#clientMemory}.
   */
  default ClientMemory heldMemory() {
    return ClientMemory.UNKNOWN;
  }

  /**
   * Returns whether the client's state is consistent, for engines of which an error can end a
   * change in the middle: then nothing is saved, and {@link #completePending} throws.
   */
  default WholeState whole() {
    return new WholeState();
  }

  /** Adds the client's present state. Its length must not reveal anything about accesses. */
  void copyState(StateCopy state) throws IOException;

  /** Loads the state that {@link #copyState} saved. Not called for a new store. */
  void readState(DataInput in) throws IOException;

  /** Ends helper threads, and overwrites all data that the client holds. */
  void wipe();
}
