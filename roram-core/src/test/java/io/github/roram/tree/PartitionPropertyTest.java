package io.github.roram.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What Theorem 1 rests on (rORAM, §VI and figure 2; construction, section 2.5): any 2^i consecutive
 * labels, and so any 2^i consecutive evictions, meet each of the 2^i subtrees below level i exactly
 * once. For every height and range size; for all starts where there are few.
 */
final class PartitionPropertyTest {

  private static final int HIGHEST = 30;

  /** Beyond this many labels only some starts are tried, and only the lowest levels counted. */
  private static final int ALL_STARTS = 6;

  private static final int MOST_PATHS = 12;

  static IntStream heights() {
    return IntStream.rangeClosed(0, HIGHEST);
  }

  private static TreeGeometry tree(int height, int rangeExponent) {
    return new TreeGeometry(0, rangeExponent, 1L << height, height, 0, 4);
  }

  private static long[] starts(int height) {
    long leaves = 1L << height;
    // Counters of evictions do not wrap: starts beyond the leaves are as good as others.
    return height <= ALL_STARTS
        ? IntStream.range(0, (int) (2 * leaves)).asLongStream().toArray()
        : new Random(height).longs(8, 0, 1L << 40).toArray();
  }

  @ParameterizedTest
  @MethodSource("heights")
  void consecutiveEvictionsMeetEachSubtreeOnce(int height) {
    for (int i = 0; i <= Math.min(height, MOST_PATHS); i++) {
      TreeGeometry tree = tree(height, i);
      for (long start : starts(height)) {
        for (int level = 0; level <= i; level++) {
          int[] met = new int[1 << level];
          for (long t = start; t < start + tree.rangeBlocks(); t++) {
            met[tree.bucket(t, level)]++;
          }
          // At level i once each; nearer the root 2^(i − level) times each.
          assertThat(met).containsOnly(tree.rangeBlocks() >> level);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("heights")
  void theBlocksOfARangeAreInDifferentSubtrees(int height) {
    for (int i = 0; i <= Math.min(height, MOST_PATHS); i++) {
      TreeGeometry tree = tree(height, i);
      for (long start : starts(height)) {
        int first = (int) (start % tree.leaves());
        boolean[] met = new boolean[tree.rangeBlocks()];
        for (int k = 0; k < tree.rangeBlocks(); k++) {
          met[tree.bucket(tree.label(first, k), i)] = true;
        }
        assertThat(met).doesNotContain(false);
      }
    }
  }

  /**
   * Numbers of buckets are those of figure 2: bits reversed, they are numbers from left to right.
   */
  @ParameterizedTest
  @MethodSource("heights")
  void bucketsOfAPathAreAncestors(int height) {
    TreeGeometry tree = tree(height, 0);
    for (long start : starts(height)) {
      int label = (int) (start % tree.leaves());
      int leaf = reversed(label, height);
      for (int level = 0; level <= height; level++) {
        assertThat(reversed(tree.bucket(label, level), level)).isEqualTo(leaf >> (height - level));
      }
    }
  }

  private static int reversed(int number, int bits) {
    return bits == 0 ? 0 : Integer.reverse(number) >>> (Integer.SIZE - bits);
  }
}
