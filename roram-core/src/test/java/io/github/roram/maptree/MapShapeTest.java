package io.github.roram.maptree;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OramConfig;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Where labels are in a recursive map, and how many map blocks an access looks up. */
class MapShapeTest {

  private static MapShape shape(int blocks, int perMapBlock, int clientLabels, int... trees) {
    return MapShape.of(
        OramConfig.builder(blocks)
            .blockBytes(512)
            .maxRangeBlocks(1 << trees[trees.length - 1])
            .sizeClasses(trees)
            .positionMap("recursive")
            .set("blocksPerMapBlock", perMapBlock)
            .set("clientLabels", clientLabels)
            .build());
  }

  @Test
  void recursionEndsWhereTheClientCanHoldTheLabels() {
    MapShape shape = shape(1 << 20, 64, 300, 0, 5);
    assertThat(shape.levels()).isEqualTo(2);
    assertThat(shape.geometry(0).blocks()).isEqualTo(1 << 14);
    assertThat(shape.geometry(1).blocks()).isEqualTo(1 << 8);
    assertThat(shape(1 << 20, 64, 255, 0, 5).levels()).isEqualTo(3);
    assertThat(shape(10, 64, 1, 0, 2).levels()).isEqualTo(1);
  }

  @Test
  void mapBlocksHoldTheLabelsOfAllTrees() {
    assertThat(shape(1 << 20, 64, 300, 0).blockBytes(0)).isEqualTo(256);
    assertThat(shape(1 << 20, 64, 300, 0, 5).blockBytes(0)).isEqualTo(264);
    MapShape nine = shape(1 << 20, 64, 300, 0, 1, 2, 3, 4, 5, 6, 7, 8);
    assertThat(nine.blockBytes(0)).isEqualTo(4 * 127);
    // Trees of ranges of 2^7 and 2^8, and the labels of 64 blocks of the lowest level.
    assertThat(nine.blockBytes(1)).isEqualTo(4 * (32 + 16 + 64));
  }

  /** As many map blocks as ranges can touch, and no more: at some place all of them are needed. */
  @Test
  void looksUpAsManyMapBlocksAsAClassCanTouch() {
    Random random = new Random(1);
    for (int perMapBlock : new int[] {2, 8, 64}) {
      MapShape shape = shape(5000, perMapBlock, 4, 0, 2, 5);
      for (int tree : new int[] {0, 2, 5}) {
        for (int ranges : new int[] {1, 2, 3, 9, 32}) {
          for (int level = 0; level < shape.levels(); level++) {
            assertThat(mostTouched(shape.level(level), tree, ranges, random))
                .as("%s in level %s, %s ranges of 2^%s", perMapBlock, level, ranges, tree)
                .isEqualTo(shape.runs(level, tree, ranges));
          }
        }
      }
    }
  }

  private static int mostTouched(MapShape.Level level, int tree, int ranges, Random random) {
    int most = 0;
    for (int i = 0; i < 400; i++) {
      // The worst place is before a multiple of all groups.
      int first = i == 0 ? (1 << 12) - 1 : random.nextInt(1 << 12);
      int[] looked = lookedUp(level, tree, first, ranges);
      BitSet needed = new BitSet();
      for (int range = first; range < first + ranges; range++) {
        long from = (long) range << tree;
        needed.set((int) (from >>> level.exponent()));
        needed.set((int) ((from + (1L << tree) - 1) >>> level.exponent()));
      }
      BitSet seen = new BitSet();
      Arrays.stream(looked).forEach(seen::set);
      needed.andNot(seen);
      assertThat(needed.isEmpty()).isTrue();
      long from = ((long) first << tree) >>> level.exponent();
      long to = (((long) (first + ranges) << tree) - 1) >>> level.exponent();
      most = Math.max(most, (int) (to - from + 1));
    }
    return most;
  }

  /** Without the end of the map. */
  private static int[] lookedUp(MapShape.Level level, int tree, int first, int ranges) {
    int start = (int) (((long) first << tree) >>> level.exponent());
    int[] blocks = new int[level.runs(tree, ranges)];
    Arrays.setAll(blocks, i -> start + i);
    return blocks;
  }

  @Test
  void thoseBeyondTheLastAreReadForNothing() {
    MapShape.Level lowest = shape(100, 8, 4, 0, 2).level(0);
    assertThat(lowest.blocks(2, IntStream.range(23, 32).toArray()))
        .containsExactly(11, 12, -1, -1, -1);
    assertThat(lowest.blocks(0, new int[1])).containsExactly(0);
  }

  /** Where a pair lies shows no more than where a range of two lies. */
  @Test
  void twoRangesAnywhereLookUpAsManyAsTwoNextToEachOther() {
    MapShape shape = shape(1000, 8, 4, 0);
    for (int level = 0; level < shape.levels(); level++) {
      assertThat(shape.level(level).scattered(0, 2)).isEqualTo(2);
    }
    MapShape.Level lowest = shape.level(0);
    assertThat(lowest.blocks(0, new int[] {900, 3})).containsExactly(112, 0);
    assertThat(lowest.blocks(0, new int[] {9, 15})).containsExactly(1, -1);
    assertThat(lowest.blocks(0, new int[] {9, -1})).containsExactly(1, 2);
  }
}
