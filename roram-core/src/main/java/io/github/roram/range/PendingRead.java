package io.github.roram.range;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A read of ranges of one tree: what the store is shown, and what comes of it. Part of the client's
 * state until the read succeeded, for it has to be done again the same.
 */
final class PendingRead {

  private static final int NONE = -1;

  private final int tree;
  private final int[] ranges;
  private final int[] labels;
  private final int[] freshLabels;

  /**
   * A read.
   *
   * @param tree the tree
   * @param ranges range numbers; −1 for a run that is read for nothing
   * @param labels where each run of labels starts
   * @param freshLabels the labels that the ranges get; that of a run for nothing is not used
   */
  PendingRead(int tree, int[] ranges, int[] labels, int[] freshLabels) {
    this.tree = tree;
    this.ranges = ranges;
    this.labels = labels;
    this.freshLabels = freshLabels;
  }

  int tree() {
    return tree;
  }

  int[] ranges() {
    return ranges;
  }

  int[] labels() {
    return labels;
  }

  int[] freshLabels() {
    return freshLabels;
  }

  /** Appends a read, or that there is none. */
  static void write(@Nullable PendingRead read, DataOutput out) throws IOException {
    if (read == null) {
      out.writeInt(NONE);
      return;
    }
    out.writeInt(read.tree);
    writeInts(out, read.ranges);
    writeInts(out, read.labels);
    writeInts(out, read.freshLabels);
  }

  /** What {@link #write} appended. */
  static @Nullable PendingRead read(DataInput in) throws IOException {
    int tree = in.readInt();
    return tree == NONE ? null : new PendingRead(tree, readInts(in), readInts(in), readInts(in));
  }

  private static void writeInts(DataOutput out, int[] values) throws IOException {
    out.writeInt(values.length);
    for (int value : values) {
      out.writeInt(value);
    }
  }

  private static int[] readInts(DataInput in) throws IOException {
    int[] values = new int[in.readInt()];
    for (int i = 0; i < values.length; i++) {
      values[i] = in.readInt();
    }
    return values;
  }
}
