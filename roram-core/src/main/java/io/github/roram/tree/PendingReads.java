package io.github.roram.tree;

import io.github.roram.checkpoint.StateCopy;
import io.github.roram.journal.Intent;
import io.github.roram.journal.IntentDescriptor;
import io.github.roram.stash.Stash;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The reads that have begun and are not complete, oldest first: accesses complete in the order in
 * which their intents were recorded. Part of the client's state, because after a crash each must be
 * shown again unchanged. If accesses are made one at a time, at most one read is pending.
 *
 * <p>The ranges of a pending read are pinned in the stash of its tree: blocks that the client holds
 * of them must not enter the tree under labels that the read does not look for, or in buckets newer
 * than those that it reads.
 */
public final class PendingReads {

  /** More than the ranges of any read; a scheme without classes may read runs of them. */
  private static final int MOST_RUNS = 1 << 16;

  private static final int HEADER_BYTES = Integer.BYTES + Long.BYTES;

  private final ReadTree[] trees;
  private final long mostBytes;
  private final Deque<Intent> reads = new ArrayDeque<>();
  private long nextNumber;
  private long fakes;

  /**
   * Creates an empty account.
   *
   * @param trees all trees, including those of the position map
   * @param mostBytes most bytes of an intent
   */
  public PendingReads(ReadTree[] trees, long mostBytes) {
    this.trees = trees;
    this.mostBytes = mostBytes;
  }

  /** Continues the counts of the same ORAM before it grew, which must have no pending read. */
  public void goOnFrom(PendingReads smaller) {
    smaller.requireNone();
    nextNumber = smaller.nextNumber;
    fakes = smaller.fakes;
  }

  /** Returns the number of the next intent. */
  public long nextNumber() {
    return nextNumber;
  }

  /**
   * Returns how many ranges have been replaced by random runs so far, because a read of them was
   * pending.
   */
  public long fakes() {
    return fakes;
  }

  /** Returns the number of pending reads. */
  public int count() {
    return reads.size();
  }

  /** Returns how many runs of a tree they show. */
  public int runs(int tree) {
    int runs = 0;
    for (Intent read : reads) {
      Intent part = read.part(tree);
      runs += part == null ? 0 : part.ranges().length;
    }
    return runs;
  }

  private void requireNone() {
    if (!reads.isEmpty()) {
      throw new IllegalStateException(reads.size() + " reads are pending, where none may be");
    }
  }

  /** Returns the read to be completed next; null if none is pending. */
  public @Nullable Intent oldest() {
    return reads.peek();
  }

  /** Returns whether a pending read shows the label of a range, or of a block of a position map. */
  public boolean show(int tree, int range) {
    for (Intent read : reads) {
      Intent part = read.part(tree);
      if (part != null && part.relabelsRange(range)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Chooses what the next read shows. A range with a pending read is not shown again: a random run
   * is shown in its place, and the older read brings the range.
   *
   * @param ranges range numbers; −1 for a dummy run, which is random
   * @param knownLabels returns the label of a range
   * @param freshLabels draws a fresh label of a tree
   */
  public Intent choose(
      int tree, int[] ranges, IntUnaryOperator knownLabels, IntUnaryOperator freshLabels) {
    int[] labels = new int[ranges.length];
    int[] fresh = new int[ranges.length];
    for (int i = 0; i < ranges.length; i++) {
      boolean before = ranges[i] >= 0 && show(tree, ranges[i]);
      boolean random = ranges[i] < 0 || before;
      labels[i] = random ? freshLabels.applyAsInt(tree) : knownLabels.applyAsInt(ranges[i]);
      fakes += before ? 1 : 0;
      fresh[i] = before ? Intent.READ_BEFORE : freshLabels.applyAsInt(tree);
    }
    return new Intent(nextNumber, tree, ranges, labels, fresh);
  }

  /** Adds a read that begins. */
  public void add(Intent read) {
    pin(read);
    read.maps().forEach(this::pin);
    trees[read.tree()].reading(read.labels());
    reads.add(read);
    nextNumber = read.number() + 1;
  }

  private void pin(Intent read) {
    Stash stash = trees[read.tree()].stash();
    for (int range : read.ranges()) {
      if (range >= 0) {
        stash.pinRange(range);
      }
    }
  }

  /**
   * Completes the oldest read, whose ranges the client now has: it relabels them, and no longer
   * pins them. The same applies to the map blocks that hold their labels.
   */
  public void completeOldest() {
    Intent read = reads.remove();
    complete(read);
    read.maps().forEach(this::complete);
  }

  private void complete(Intent read) {
    ReadTree tree = trees[read.tree()];
    int[] ranges = read.ranges();
    for (int run = 0; run < ranges.length; run++) {
      if (read.relabels(run)) {
        tree.relabel(ranges[run], read.labels()[run], read.freshLabels()[run]);
      }
      if (ranges[run] >= 0) {
        tree.stash().unpinRange(ranges[run]);
      }
    }
  }

  /**
   * Adds the pending reads to the state. It does not show whether there is one, or of how many
   * runs; each further one is as long as the longest. In a scheme without classes, a longer read
   * shows its length, as it did when it began.
   */
  public void copyTo(StateCopy state) throws IOException {
    long bytes = 0;
    for (Intent read : reads) {
      bytes += Math.max(mostBytes, IntentDescriptor.bytes(read));
    }
    state.addNow(this::write, HEADER_BYTES + Math.max(mostBytes, bytes));
  }

  private void write(DataOutput out) throws IOException {
    out.writeLong(nextNumber);
    out.writeInt(reads.size());
    for (Intent read : reads) {
      IntentDescriptor.write(read, out);
    }
  }

  /** Loads what {@link #copyTo} saved. */
  public void readFrom(DataInput in) throws IOException {
    nextNumber = in.readLong();
    for (int count = in.readInt(); count > 0; count--) {
      add(IntentDescriptor.read(in, mostBytes + IntentDescriptor.bytes(MOST_RUNS)));
    }
  }
}
