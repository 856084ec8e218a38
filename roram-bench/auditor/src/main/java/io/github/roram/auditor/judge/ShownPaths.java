package io.github.roram.auditor.judge;

import io.github.roram.auditor.judge.StoreMap.Level;
import io.github.roram.auditor.judge.StoreMap.Tree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** Recovers labels from the extents of a read, as a server can that counts evictions. */
final class ShownPaths {

  private final StoreMap map;

  ShownPaths(StoreMap map) {
    this.map = map;
  }

  /**
   * What a read shows.
   *
   * @param evictions cnt of its tree when it was made
   */
  Shown of(Tree tree, long[] buckets, long evictions) {
    return of(tree, buckets, evictions, 0);
  }

  /**
   * As above, of a read that was planned up to so many evictions ago.
   *
   * @param behind at most S, else places have two meanings
   */
  Shown of(Tree tree, long[] buckets, long evictions, long behind) {
    BitSet[] met = new BitSet[tree.height() + 1];
    boolean current = true;
    for (long offset : buckets) {
      Level level = map.levelAt(offset);
      if (level == null || level.tree() != tree.number()) {
        current = false;
        continue;
      }
      int bucket = bucket(tree, level, offset, evictions, behind);
      BitSet set = met[level.level()];
      if (set == null) {
        set = new BitSet();
        met[level.level()] = set;
      }
      current &= bucket >= 0 && !set.get(Math.max(0, bucket));
      set.set(Math.max(0, bucket));
    }
    int written = written(tree, evictions);
    BitSet leaves = met[tree.height()] == null ? new BitSet() : met[tree.height()];
    int[] counts = new int[tree.height() + 1 - tree.treetopLevels()];
    boolean whole = current;
    for (int level = tree.treetopLevels(); level <= tree.height(); level++) {
      BitSet shown = met[level] == null ? new BitSet() : met[level];
      counts[level - tree.treetopLevels()] = shown.cardinality();
      whole &= meets(leaves, level, shown, written == tree.leaves());
    }
    boolean complete = written == tree.leaves();
    return new Shown(
        tree.number(),
        leaves.stream().boxed().toList(),
        written,
        tree.leaves(),
        Arrays.stream(counts).boxed().toList(),
        tree.rangeBlocks() == 1 || complete ? labels(leaves, tree) : List.of(),
        whole);
  }

  private int written(Tree tree, long evictions) {
    return map.isClassic()
        ? tree.leaves()
        : (int) Math.max(0, Math.min(tree.leaves(), evictions - tree.leaves()));
  }

  /** The bucket at a place, −1 if it is not the current version of one. */
  private int bucket(Tree tree, Level level, long offset, long evictions, long behind) {
    long place = map.place(level, offset);
    if (map.isClassic()) {
      return (int) place & ((1 << level.level()) - 1);
    }
    long writer = StoreMap.writer(level, place, evictions);
    long width = 1L << level.level();
    boolean current = writer >= tree.leaves() && writer >= evictions - behind - width;
    return current ? (int) (writer & (width - 1)) : -1;
  }

  /** Whether buckets of a level are those that the leaves' paths meet, or hold at least those. */
  private static boolean meets(BitSet leaves, int level, BitSet shown, boolean exactly) {
    BitSet expected = new BitSet();
    int mask = (1 << level) - 1;
    leaves.stream().forEach(leaf -> expected.set(leaf & mask));
    if (exactly) {
      return expected.equals(shown);
    }
    expected.andNot(shown);
    return expected.isEmpty();
  }

  /** Starts of the cyclic runs that have exactly the length of one. */
  private static List<Integer> labels(BitSet leaves, Tree tree) {
    if (tree.rangeBlocks() == 1) {
      return leaves.stream().boxed().toList();
    }
    List<Integer> labels = new ArrayList<>();
    int all = tree.leaves();
    if (leaves.cardinality() == all) {
      return labels;
    }
    for (int leaf = leaves.nextSetBit(0); leaf >= 0; leaf = leaves.nextSetBit(leaf + 1)) {
      if (leaves.get((leaf + all - 1) % all)) {
        continue;
      }
      int length = 1;
      while (leaves.get((leaf + length) % all)) {
        length++;
      }
      if (length == tree.rangeBlocks()) {
        labels.add(leaf);
      }
    }
    return labels;
  }
}
