package io.github.roram.auditor.judge;

import io.github.roram.auditor.judge.StoreMap.Level;
import io.github.roram.auditor.judge.StoreMap.Tree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Which buckets an eviction must read and write, if it follows the counter. */
final class EvictionPlaces {

  /** No number of paths fits. */
  static final int NONE = -1;

  private final StoreMap map;

  EvictionPlaces(StoreMap map) {
    this.map = map;
  }

  /** Offsets of the buckets that evictions {@code [first, first + paths)} write, leaves first. */
  long[] written(Tree tree, long first, int paths) {
    Offsets offsets = new Offsets();
    for (int level = tree.height(); level >= tree.treetopLevels(); level--) {
      int width = width(level, paths);
      offsets.add(tree, level, first + paths - width, width);
    }
    return offsets.done();
  }

  /** Offsets of the buckets that they read, root side first; none that were never written. */
  long[] read(Tree tree, long first, int paths) {
    Offsets offsets = new Offsets();
    for (int level = tree.treetopLevels(); level <= tree.height(); level++) {
      offsets.add(tree, level, first - (1L << level), width(level, paths));
    }
    return offsets.done();
  }

  /** How many paths evictions from {@code first} on wrote, if these are their buckets. */
  int pathsWritten(Tree tree, long first, long[] buckets) {
    int leaves = 0;
    for (long offset : buckets) {
      Level level = map.levelAt(offset);
      leaves += level != null && level.level() == tree.height() ? 1 : 0;
    }
    // A chunk that is longer than the tree is wide writes every leaf once.
    int most = leaves == tree.leaves() ? Math.max(leaves, tree.chunkPaths()) : leaves;
    for (int paths = Math.max(1, leaves); paths <= most; paths++) {
      if (buckets.length > 0
          && buckets[0] == map.offset(tree.level(tree.height()), first + paths - leaves)
          && Arrays.equals(buckets, written(tree, first, paths))) {
        return paths;
      }
    }
    return NONE;
  }

  /**
   * The counter from which evictions wrote these buckets, worked out from their places alone: the
   * rings of a tree's levels have different lengths, so together they tell. Of several that fit it
   * is the least. −1 if none fits.
   *
   * @param least the counter is this at least
   */
  long firstOf(Tree tree, long least, long[] buckets) {
    long step = 1;
    long end = 0;
    int paths = 0;
    int next = 0;
    for (int level = tree.height(); level >= tree.treetopLevels(); level--) {
      if (next >= buckets.length) {
        return NONE;
      }
      Level at = tree.level(level);
      long place = map.place(at, buckets[next]);
      int width = 0;
      while (next < buckets.length && tree.level(level).equals(map.levelAt(buckets[next]))) {
        width++;
        next++;
      }
      paths = level == tree.height() ? width : paths;
      long tries = 0;
      while (Math.floorMod(end - width - place, at.places()) != 0) {
        end += step;
        if (++tries > at.places()) {
          return NONE;
        }
      }
      step = step / gcd(step, at.places()) * at.places();
    }
    while (end - paths < least) {
      end += step;
    }
    return end - paths;
  }

  /**
   * The counter with which all that was ever written of a tree is these buckets, worked out from
   * their places alone. −1 if none fits.
   *
   * @param buckets level by level, from the root
   */
  long endOf(Tree tree, List<Long> buckets) {
    List<Long> leavesFirst = new ArrayList<>();
    int leaves = 0;
    for (int level = tree.height(); level >= tree.treetopLevels(); level--) {
      for (long offset : buckets) {
        if (tree.level(level).equals(map.levelAt(offset))) {
          leavesFirst.add(offset);
          leaves += level == tree.height() ? 1 : 0;
        }
      }
    }
    long first =
        firstOf(tree, tree.leaves(), leavesFirst.stream().mapToLong(Long::longValue).toArray());
    return first == NONE ? NONE : first + leaves;
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }

  private static int width(int level, int paths) {
    return (int) Math.min(paths, 1L << level);
  }

  /** Collects offsets. */
  private final class Offsets {
    private long[] values = new long[64];
    private int count;

    void add(Tree tree, int level, long first, int width) {
      for (long eviction = Math.max(first, tree.leaves()); eviction < first + width; eviction++) {
        if (count == values.length) {
          values = Arrays.copyOf(values, 2 * count);
        }
        values[count++] = map.offset(tree.level(level), eviction);
      }
    }

    long[] done() {
      return Arrays.copyOf(values, count);
    }
  }
}
