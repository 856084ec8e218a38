package io.github.roram.range;

import io.github.roram.OramConfig;
import io.github.roram.maptree.MapShape;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.tree.TreeGeometry;
import org.jspecify.annotations.Nullable;

/**
 * What accesses of a scheme on the tree engine ask of its trees, in costs of some kind: which trees
 * they read and what they owe in each. What a read and its evictions cost is each kind's own.
 *
 * @param <C> a kind of costs
 */
abstract class AccessCosts<C> {

  /**
   * What several runs of consecutive labels, each of which begins anywhere, meet at a level.
   *
   * @param width buckets of the level
   * @param buckets how many they meet
   * @param pieces in how many pieces, next to one another by their labels
   */
  record Met(double width, double buckets, double pieces) {

    static Met of(TreeGeometry geometry, int level, int runs, int count) {
      double width = 1L << level;
      boolean whole = count >= width;
      // Each bucket is missed by a run with the same probability.
      double met = whole ? width : width * (1 - miss(count, width, runs));
      // A piece begins where a bucket is met and the one before it is not.
      double begun = miss(count, width, runs) - miss(count + 1, width, runs);
      double pieces = whole ? 1 : Math.max(width * begun, Math.min(1, met / width));
      if (geometry.firstStored(level) > 0) {
        // A piece that begins with buckets which the client holds begins anew after them.
        double joints = Math.max(0, met - pieces);
        pieces = whole ? 1 : pieces * geometry.storedShare(level) + joints / width;
        met *= geometry.storedShare(level);
      }
      return new Met(width, met, pieces);
    }

    /** The probability that runs of so many labels miss a bucket. */
    private static double miss(int count, double width, int runs) {
      return Math.pow(Math.max(0, 1 - count / width), runs);
    }

    /** Where a bucket follows another of its piece. */
    double joints() {
      return Math.max(0, buckets - pieces);
    }
  }

  final TreeParameters parameters;
  final StoreLayout layout;
  private final SizeClasses classes;
  private final OtherTreesDebt otherTrees;
  private final @Nullable MapShape maps;

  AccessCosts(OramConfig config) {
    parameters = TreeParameters.of(config);
    layout = new StoreLayout(config);
    classes = new SizeClasses(parameters);
    otherTrees = new OtherTreesDebt(parameters);
    maps = layout.maps();
  }

  /** A read of several runs of so many consecutive labels; each run begins anywhere. */
  abstract C read(int tree, int runs, int count);

  /** The evictions for so many blocks at a time, again and again. */
  abstract C evictions(int tree, double owed);

  abstract C plus(C one, C other);

  abstract C times(C cost, double factor);

  /**
   * An access of rORAM, of so many blocks.
   *
   * @param writes whether it writes; of no matter where that is hidden
   */
  final C ofRange(int blocks, boolean writes) {
    int sizeClass = classes.of(blocks);
    int tree = classes.tree(sizeClass);
    int exponent = classes.exponent(tree);
    int ranges = classes.ranges(sizeClass);
    int read = ranges << exponent;
    C cost = plus(read(tree, ranges, 1 << exponent), evictions(tree, read));
    for (int other = 0; other < layout.dataTrees(); other++) {
      if (other != tree) {
        cost = withOtherTree(cost, other, classes.blocks(sizeClass), read, writes);
      }
    }
    return withLookUps(cost, exponent, ranges);
  }

  /** The evictions of a tree that is not read, too. */
  private C withOtherTree(C cost, int tree, int classBlocks, int read, boolean writes) {
    double owed = otherTrees.average(classBlocks, read, writes);
    if (owed == 0) {
      return cost;
    }
    int turns = otherTrees.paysInTurn(classBlocks, writes) ? layout.dataTrees() - 1 : 1;
    return plus(cost, times(evictions(tree, turns * owed), 1.0 / turns));
  }

  /** An access of batched Path ORAM to one block. */
  final C ofBlock() {
    return withLookUps(plus(read(0, 1, 1), evictions(0, 1)), 0, 1);
  }

  private C withLookUps(C access, int rangeExponent, int ranges) {
    C cost = access;
    for (int level = 0; maps != null && level < maps.levels(); level++) {
      int runs = maps.runs(level, rangeExponent, ranges);
      int tree = layout.dataTrees() + level;
      cost = plus(cost, plus(read(tree, runs, 1), evictions(tree, runs)));
    }
    return cost;
  }
}
