package io.github.roram.tree;

import io.github.roram.checkpoint.StateCopy;
import java.io.DataInput;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Whether what is met of a block is its newest copy. Trees are never searched for old copies: a
 * block that was read and relabelled leaves its last copy behind, and whoever meets one asks here,
 * be it a read of paths, an eviction or an audit.
 *
 * <p>Of two copies that both pass, the one nearer the root is newer, and the client's is nearest
 * (construction, section 2.4).
 */
public interface Liveness {

  /**
   * Whether a copy in the tree is not known to be stale.
   *
   * @param level the level of the bucket that the copy stands in
   * @param bucket the number of the bucket in its level
   * @param slot the slot of the bucket
   * @param address the block
   * @param label the label that the copy has
   */
  boolean isCurrent(int level, int bucket, int slot, int address, int label);

  /** Whether a block that the client holds may have this label. */
  boolean isHeldUnder(int address, int label);

  /**
   * A read takes a copy out of its slot, or finds an older one of the same block there: either is
   * stale from now on.
   */
  default void taken(int level, int bucket, int slot) {}

  /** Evictions {@code [first, first + paths)} wrote all buckets on their paths anew. */
  default void rewritten(long first, int paths) {}

  /** Bytes of bits that say which slots a read of runs of labels took; 0 where none are needed. */
  default int takenBytes(int runs) {
    return 0;
  }

  /**
   * Which slots of the paths of runs of labels are taken: {@link #takenBytes} bytes. For each level
   * below the treetop, root side first, and each label of each run: a bit for each slot.
   */
  default void copyTaken(int[] labels, byte[] target, int offset) {}

  /** Takes the slots that {@link #copyTaken} says are taken. */
  default void takeAll(int[] labels, byte[] source, int offset) {}

  /** A read gives a block another label. */
  default void moved(int address, int oldLabel, int newLabel) {}

  /** The same for one who meets all buckets, those nearer the root first; at the state of now. */
  default RootFirst rootFirst() {
    return this::isCurrent;
  }

  /** The tombstones that the client holds, where they say what is stale. */
  default @Nullable TombstoneLiveness tombstones() {
    return null;
  }

  /** Nothing was ever read. */
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

  /** Bytes of client memory that it takes. */
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
     * A bucket is met; what is asked next is of it.
     *
     * @param version what wrote it
     */
    default void enter(byte[] plain, long version) {}

    /** Whether a copy in it is not known to be stale: see {@link Liveness#isCurrent}. */
    boolean isCurrent(int level, int bucket, int slot, int address, int label);
  }
}
