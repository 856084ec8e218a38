package io.github.roram.tree;

import io.github.roram.stash.Stash;
import java.io.DataInput;
import java.io.IOException;

/**
 * A tree as seen by the classes that account for its reads: {@link PendingReads}, and the {@link
 * TreeReplay} of a journal.
 */
public interface ReadTree {

  /** Returns the shape. */
  TreeGeometry geometry();

  /** Returns what the client holds of it. */
  Stash stash();

  /** Returns the client's current label of a range. */
  int rangeLabel(int range);

  /** Returns the label of a block. */
  int label(int address);

  /** Notes that a read begins, which shows these labels. */
  default void reading(int[] labels) {}

  /**
   * Gives a range, whose blocks the stash holds, a fresh label.
   *
   * @param shownLabel the label that it has, under which it was read
   */
  void relabel(int range, int shownLabel, int freshLabel);

  /** Returns the most paths that are due to be written. */
  int duePaths();

  /** Records that this many paths were written, the oldest of them that are due, in an epoch. */
  void evicted(int paths, int epoch);

  /** Blocks came to the tree that an access of another one wrote. */
  default void writtenBeside(int blocks) {}

  /** Lets go of the tombstones that left by what was evicted, as the next bytes say it. */
  default void tombstonesLeft(DataInput in) throws IOException {}
}
