package io.github.roram.auditor.judge;

import io.github.roram.OramConfig;
import io.github.roram.auditor.judge.Seen.Step;
import io.github.roram.auditor.judge.ShownPaths.Shown;
import io.github.roram.auditor.judge.StoreMap.Level;
import io.github.roram.auditor.judge.StoreMap.Tree;
import io.github.roram.storage.view.Action;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Recovers labels from the extents of a read, as a server can that counts evictions. */
final class ShownPaths {

  private final StoreMap map;

  ShownPaths(StoreMap map) {
    this.map = map;
  }

  /**
   * Returns what a read shows.
   *
   * @param evictions cnt of its tree when it was made
   */
  Shown of(Tree tree, long[] buckets, long evictions) {
    return of(tree, buckets, evictions, 0);
  }

  /**
   * Returns what a read shows that was planned up to {@code behind} evictions ago.
   *
   * @param behind at most S; otherwise places would be ambiguous
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
      int bucket = bucket(level, offset, evictions, behind);
      BitSet set = met[level.level()];
      if (set == null) {
        set = new BitSet();
        met[level.level()] = set;
      }
      current &= bucket >= 0 && !set.get(Math.max(0, bucket));
      current &= !tree.isHeld(level.level(), Math.max(0, bucket));
      set.set(Math.max(0, bucket));
    }
    int height = map.isClassic() ? tree.height() : tree.shownHeight(evictions);
    int written = map.isClassic() ? tree.leaves() : (int) tree.level(height).written(evictions);
    // A map is written by evictions alone: not all of it may have been when the read was planned.
    long planned = tree.isMap() ? evictions - behind : evictions;
    boolean complete = map.isClassic() || tree.level(height).written(planned) == 1 << height;
    BitSet leaves = met[height] == null ? new BitSet() : met[height];
    int top = tree.firstWholeLevel();
    int[] counts = new int[height + 1 - top];
    boolean whole = current && goOn(tree, met, height, evictions);
    for (int level = tree.treetopLevels(); level <= height; level++) {
      BitSet shown = met[level] == null ? new BitSet() : met[level];
      if (level >= top) {
        counts[level - top] = shown.cardinality();
      }
      whole &= meets(tree, leaves, level, shown, complete);
    }
    return new Shown(
        tree.number(),
        leaves.stream().boxed().toList(),
        written,
        1 << height,
        Arrays.stream(counts).boxed().toList(),
        tree.rangeBlocks() == 1 || complete ? labels(leaves, tree, 1 << height) : List.of(),
        whole);
  }

  /**
   * Returns whether added levels that are not completely written continue the paths that end above:
   * each of their buckets is below one of the paths, and each path has one if all its possible
   * continuations were written.
   */
  private static boolean goOn(Tree tree, BitSet[] met, int height, long evictions) {
    for (int number = height + 1; number <= tree.height(); number++) {
      Level level = tree.level(number);
      BitSet shown = met[number] == null ? new BitSet() : met[number];
      BitSet ends = met[height] == null ? new BitSet() : met[height];
      if (!shown.stream().allMatch(bucket -> ends.get(bucket & ((1 << height) - 1)))) {
        return false;
      }
      int all = 1 << number;
      boolean missing =
          ends.stream()
              .anyMatch(
                  end ->
                      IntStream.iterate(
                              end, bucket -> bucket < all, bucket -> bucket + (1 << height))
                          .allMatch(
                              bucket -> isWritten(level, bucket, evictions) && !shown.get(bucket)));
      if (missing) {
        return false;
      }
    }
    return true;
  }

  private static boolean isWritten(Level level, int bucket, long evictions) {
    return Math.floorMod(bucket - level.since(), 1L << level.level()) < level.written(evictions);
  }

  /** Returns the bucket at a place; −1 if it is not the current version of one. */
  private int bucket(Level level, long offset, long evictions, long behind) {
    long place = map.place(level, offset);
    if (map.isClassic()) {
      return (int) place & ((1 << level.level()) - 1);
    }
    long writer = StoreMap.writer(level, place, evictions);
    long width = 1L << level.level();
    boolean current = writer >= level.since() && writer >= evictions - behind - width;
    return current ? (int) (writer & (width - 1)) : -1;
  }

  /**
   * Returns whether buckets of a level are those that the leaves' paths meet, or hold at least
   * those.
   */
  private static boolean meets(Tree tree, BitSet leaves, int level, BitSet shown, boolean exactly) {
    BitSet expected = new BitSet();
    int mask = (1 << level) - 1;
    leaves.stream()
        .filter(leaf -> !tree.isHeld(level, leaf))
        .forEach(leaf -> expected.set(leaf & mask));
    if (exactly) {
      return expected.equals(shown);
    }
    expected.andNot(shown);
    return expected.isEmpty();
  }

  /** Starts of the cyclic runs that have exactly the length of one. */
  private static List<Integer> labels(BitSet leaves, Tree tree, int all) {
    if (tree.rangeBlocks() == 1) {
      return leaves.stream().boxed().toList();
    }
    List<Integer> labels = new ArrayList<>();
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

  /**
   * What a read of random paths shows.
   *
   * @param tree number of the tree
   * @param leaves its leaves, increasing, each once
   * @param writtenLeaves leaves 0 … w − 1 were ever written; a read leaves out the others
   * @param allLeaves 2^h, where h is the height that the tree had before it got levels that are not
   *     completely written
   * @param bucketsPerLevel number of buckets read of each level that is wholly on the store
   * @param labels starts of runs, as far as their ends can be recognized: not where two runs touch
   * @param wholePaths whether its buckets are exactly the current ones of whole paths
   */
  record Shown(
      int tree,
      List<Integer> leaves,
      int writtenLeaves,
      int allLeaves,
      List<Integer> bucketsPerLevel,
      List<Integer> labels,
      boolean wholePaths) {

    /**
     * Returns whether every leaf of the tree has been written, so that no part of a path is left
     * out.
     */
    boolean isComplete() {
      return writtenLeaves == allLeaves;
    }

    int buckets() {
      return bucketsPerLevel.stream().mapToInt(Integer::intValue).sum();
    }
  }

  /** The labels that reads of one tree showed, in order. */
  static final class ShownLabels {

    /**
     * A label.
     *
     * @param read number of the read that showed it
     * @param access number of the access
     * @param label the label
     * @param among it is uniform over 0 … among − 1: leaves beyond were never written, and not
     *     shown
     * @param leaves of the tree as far as it is shown: once it grew, there are more
     * @param life how many crashes came before
     */
    record Label(int read, long access, int label, int among, int leaves, int life) {

      /** Returns whether it is uniform over all leaves. */
      boolean isComplete() {
        return among == leaves;
      }
    }

    private ShownLabels() {}

    /** Numbers of the trees whose labels can be told. */
    static List<Integer> trees(OramConfig config) {
      return SlotLayout.isOf(config)
          ? List.of(0)
          : new StoreMap(config).trees().stream().map(Tree::number).toList();
    }

    /**
     * Labels of a tree in one run. The read that is repeated after a crash shows nothing new and is
     * left out: the first one after it, if it shows what the last one before it did.
     */
    static List<Label> of(Seen seen, int tree) {
      if (SlotLayout.isOf(seen.config())) {
        return seen.slots().labels();
      }
      List<Label> labels = new ArrayList<>();
      int read = 0;
      int life = 0;
      boolean crashed = false;
      Step last = null;
      for (Step step : seen.steps()) {
        if (step.isDeclared(Action.CRASH)) {
          life++;
          crashed = true;
        }
        if (step.kind() != Step.Kind.PATHS) {
          continue;
        }
        boolean repeated = crashed && last != null && isSame(last, step);
        crashed = false;
        Shown shown = step.shown();
        // Where a counter is not known yet, the read of an eviction passes for one of paths.
        last = shown == null ? last : step;
        if (step.tree() != tree || shown == null || repeated) {
          continue;
        }
        for (int label : shown.labels()) {
          labels.add(
              new Label(
                  read, step.access(), label, shown.writtenLeaves(), shown.allLeaves(), life));
        }
        read++;
      }
      return labels;
    }

    /**
     * Returns one label of each read, drawn at random: the labels of one read are distinct and in
     * order, so together they are not independent.
     */
    static List<Label> oneOfEachRead(List<Label> labels) {
      Random random = new Random(labels.size());
      List<Label> drawn = new ArrayList<>();
      for (int first = 0; first < labels.size(); ) {
        int end = first;
        while (end < labels.size() && labels.get(end).read() == labels.get(first).read()) {
          end++;
        }
        drawn.add(labels.get(first + random.nextInt(end - first)));
        first = end;
      }
      return drawn;
    }

    private static boolean isSame(Step first, Step second) {
      Shown before = first.shown();
      Shown after = second.shown();
      return first.tree() == second.tree()
          && (first.request().extents().equals(second.request().extents())
              || (before != null && after != null && before.leaves().equals(after.leaves())));
    }
  }
}
