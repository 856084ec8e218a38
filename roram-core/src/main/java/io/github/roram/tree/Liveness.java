package io.github.roram.tree;

import io.github.roram.checkpoint.StateCopy;
import java.io.DataInput;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether a copy of a block is its newest one. Trees are never searched for old copies: when
 * a block is read and relabelled, its last copy stays behind, and a read of paths, an eviction or
 * an audit that encounters a copy asks here.
 *
 * <p>Of two copies that both pass, the one nearer the root is newer, and the client's is nearest
 * (construction, section 2.4).
 */
public interface Liveness {

  /**
   * Returns whether a copy in the tree is not known to be stale.
   *
   * @param address the block
   * @param label the label that the copy has
   */
  boolean isCurrent(int address, int label);

  /** Returns whether a block that the client holds may have this label. */
  boolean isHeldUnder(int address, int label);

  /** Notes that a read gives a block another label. */
  default void moved(int address, int oldLabel, int newLabel) {}

  /**
   * Returns the same for one who meets all buckets, those nearer the root first; at the state of
   * now.
   */
  default RootFirst rootFirst() {
    return this::isCurrent;
  }

  /** Returns the tombstones that the client holds, if tombstones tell which copies are stale. */
  default @Nullable TombstoneLiveness tombstones() {
    return null;
  }

  /** Forgets everything, as if nothing had been read. */
  default void clear() {}

  /** Takes what the client remembers of the tree when it was smaller. */
  default void growFrom(Liveness smaller) {}

  /**
   * Adds what the client remembers.
   *
   * @param mostTaken the most copies that can have been taken, as far as everyone knows
   * @param mostHeld the most blocks that the client can hold
   */
  default void addTo(StateCopy state, long mostTaken, long mostHeld) throws IOException {}

  /** Loads what {@link #addTo} added. */
  default void readFrom(DataInput in) throws IOException {}

  /** Returns the bytes of client memory that it takes. */
  default long heldBytes() {
    return 0;
  }

  /**
   * Tells which copies are current to one who meets the buckets of a tree root side first: of two
   * buckets on a path that nearer the root before the other.
   */
  @FunctionalInterface
  interface RootFirst {

    /**
     * Enters a bucket, to which the following questions refer.
     *
     * @param version version of the bucket
     */
    default void enter(byte[] plain, long version) {}

    /** Returns whether a copy in it is not known to be stale: see {@link Liveness#isCurrent}. */
    boolean isCurrent(int address, int label);
  }
}
