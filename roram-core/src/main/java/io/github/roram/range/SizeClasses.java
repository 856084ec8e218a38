package io.github.roram.range;

import io.github.roram.journal.IntentDescriptor;
import io.github.roram.maptree.MapShape;
import io.github.roram.parameters.TreeParameters;
import org.jspecify.annotations.Nullable;

/**
 * The range sizes that an access shows, and how the trees serve them.
 *
 * <p>The class of a range, the smallest configured 2^i that holds it, is the only thing that an
 * access shows (rORAM, §III-A; construction, section 1). In the paper each class has a tree of its
 * own. Here a class i is served by the tree of the longest ranges 2^t, t ≤ i: any 2^i consecutive
 * blocks lie in {@code 2^(i−t) + 1} aligned ranges of 2^t, or in 2^i of one block. Where t = i
 * these are the paper's two. Fewer trees mean fewer evictions; shorter ranges mean less read
 * besides what was asked for; both cost seeks.
 */
public final class SizeClasses {

  private final int[] exponents;
  private final int[] trees;
  private final boolean two;

  /** Creates the classes and trees of a configuration. */
  public SizeClasses(TreeParameters parameters) {
    exponents = parameters.sizeClasses();
    trees = parameters.trees();
    two = parameters.fullDebt();
  }

  /** Returns the smallest class whose ranges hold {@code blocks} blocks. */
  public int of(int blocks) {
    int sizeClass = 0;
    while (1 << exponents[sizeClass] < blocks) {
      sizeClass++;
    }
    return sizeClass;
  }

  /** Returns the number of classes. */
  int count() {
    return exponents.length;
  }

  /** Returns 2^i for a class: the most blocks of an access that shows it. */
  public int blocks(int sizeClass) {
    return 1 << exponents[sizeClass];
  }

  /** Returns the number of the tree that serves a class. */
  public int tree(int sizeClass) {
    int tree = trees.length - 1;
    while (trees[tree] > exponents[sizeClass]) {
      tree--;
    }
    return tree;
  }

  /** Returns t of a tree: its ranges have 2^t blocks. */
  public int exponent(int tree) {
    return trees[tree];
  }

  /** Returns the most {@link #ranges} of any class. */
  int mostRanges() {
    int most = 0;
    for (int sizeClass = 0; sizeClass < exponents.length; sizeClass++) {
      most = Math.max(most, ranges(sizeClass));
    }
    return most;
  }

  /** Returns how many ranges of its tree an access of a class reads, wherever its blocks lie. */
  public int ranges(int sizeClass) {
    int exponent = trees[tree(sizeClass)];
    if (two) {
      return 2;
    }
    int whole = 1 << (exponents[sizeClass] - exponent);
    return exponent == 0 ? whole : whole + 1;
  }

  /** Returns the most bytes that reads of a position map on the store add to an intent. */
  long mostMapBytes(@Nullable MapShape maps) {
    long most = 0;
    for (int sizeClass = 0; maps != null && sizeClass < exponents.length; sizeClass++) {
      long bytes = 0;
      for (int level = 0; level < maps.levels(); level++) {
        int exponent = trees[tree(sizeClass)];
        bytes += IntentDescriptor.mapBytes(maps.runs(level, exponent, ranges(sizeClass)));
      }
      most = Math.max(most, bytes);
    }
    return most;
  }

  /** Returns the most bytes that an access looks up. */
  long mostLookUpBytes(MapShape maps) {
    long most = 0;
    for (int sizeClass = 0; sizeClass < exponents.length; sizeClass++) {
      long bytes = 0;
      for (int level = 0; level < maps.levels(); level++) {
        long runs = maps.runs(level, trees[tree(sizeClass)], ranges(sizeClass));
        bytes += runs * (Integer.BYTES + maps.blockBytes(level));
      }
      most = Math.max(most, bytes);
    }
    return most;
  }

  /**
   * Returns the inverse of {@link #ranges}: 2^i of the class whose accesses read this many of a
   * tree.
   */
  int blocks(int tree, int ranges) {
    return trees[tree] == 0 && !two ? ranges : (ranges - 1) << trees[tree];
  }
}
