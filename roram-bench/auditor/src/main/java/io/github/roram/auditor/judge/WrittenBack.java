package io.github.roram.auditor.judge;

import io.github.roram.auditor.judge.StoreMap.Level;
import io.github.roram.auditor.judge.StoreMap.Tree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What a server foretells of a TaORAM: a read is of the current places of one whole path; what is
 * written are the other places of the k oldest paths that were read, level by level, each bucket
 * once; after an opening, all paths that were read and not written are fetched again.
 *
 * <p>After a crash the last read may not have been complete, and the last write-back may not be
 * known to the client: what it fetches tells.
 */
final class WrittenBack {

  private final StoreMap map;
  private final Tree tree;
  private BitSet second = new BitSet();
  private List<Integer> unwritten = new ArrayList<>();

  /** What both were before the last write-back. */
  private BitSet secondBefore = new BitSet();

  private List<Integer> unwrittenBefore = List.of();

  /** What of a write-back is still to come; none between two. */
  private long[] expected = {};

  private int seen;
  private boolean opened;

  WrittenBack(StoreMap map, Tree tree) {
    this.map = map;
    this.tree = tree;
  }

  /** The store is opened, after a crash or not. */
  void opened() {
    opened = true;
    seen = 0;
    expected = new long[0];
  }

  /** Number of paths that are fetched again by a read of these buckets; 0 if it is no such read. */
  int fetchedAgain(long[] buckets) {
    if (!opened) {
      return 0;
    }
    opened = false;
    if (isUnion(buckets, unwritten, second)) {
      return unwritten.size();
    }
    if (isUnion(buckets, unwrittenBefore, secondBefore)) {
      unwritten = new ArrayList<>(unwrittenBefore);
      second = (BitSet) secondBefore.clone();
      return unwritten.size();
    }
    List<Integer> complete = unwritten.subList(0, Math.max(0, unwritten.size() - 1));
    if (isUnion(buckets, complete, second)) {
      unwritten = new ArrayList<>(complete);
      return unwritten.size();
    }
    return 0;
  }

  private boolean isUnion(long[] buckets, List<Integer> leaves, BitSet places) {
    return !leaves.isEmpty() && Arrays.equals(buckets, union(leaves, places, false));
  }

  /** Whether these buckets are a path as it is; it then waits to be written. */
  boolean read(long[] buckets) {
    Level leaves = tree.level(tree.height());
    long last = buckets[buckets.length - 1];
    int leaf = (int) map.place(leaves, last) & (tree.leaves() - 1);
    boolean whole = Arrays.equals(buckets, union(List.of(leaf), second, false));
    unwritten.add(leaf);
    return whole;
  }

  /** Whether these buckets are written next. */
  boolean written(long[] buckets) {
    if (seen == 0) {
      List<Integer> oldest = unwritten.subList(0, Math.min(tree.chunkPaths(), unwritten.size()));
      expected = union(oldest, second, true);
    }
    int end = seen + buckets.length;
    boolean next =
        unwritten.size() >= tree.chunkPaths()
            && end <= expected.length
            && Arrays.equals(buckets, Arrays.copyOfRange(expected, seen, end));
    seen = next ? end : 0;
    if (next && end == expected.length) {
      writtenBack();
    }
    return next;
  }

  private void writtenBack() {
    secondBefore = (BitSet) second.clone();
    unwrittenBefore = List.copyOf(unwritten);
    keys(unwritten.subList(0, tree.chunkPaths())).forEach(second::flip);
    unwritten = new ArrayList<>(unwritten.subList(tree.chunkPaths(), unwritten.size()));
    seen = 0;
  }

  /** Buckets of all levels that leaves meet, root side first. */
  private Set<Integer> keys(List<Integer> leaves) {
    Set<Integer> keys = new LinkedHashSet<>();
    for (int level = tree.treetopLevels(); level <= tree.height(); level++) {
      for (int leaf : leaves) {
        keys.add((1 << level) + (leaf & ((1 << level) - 1)));
      }
    }
    return keys;
  }

  private long[] union(List<Integer> leaves, BitSet places, boolean others) {
    return keys(leaves).stream().mapToLong(key -> offset(key, places.get(key) != others)).toArray();
  }

  private long offset(int key, boolean isSecond) {
    int number = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(key);
    Level level = tree.level(number);
    long place = (isSecond ? 1L << number : 0) + key - (1L << number);
    return level.offset() + place * level.bucketBytes();
  }

  /** Where a bucket of a level is now. */
  long current(Level level, long bucket) {
    int key = (1 << level.level()) + (int) bucket;
    return offset(key, second.get(key));
  }
}
