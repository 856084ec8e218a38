package io.github.roram.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** What a placement must hold, for any chunk of any tree. */
class PlacementTest {

  private final Placement placement = new Placement();

  @Property(tries = 500)
  void placesEveryBlockThatWasReadAndAsManyOthersAsFit(
      @ForAll @IntRange(min = 0, max = 7) int height,
      @ForAll @IntRange(min = 0, max = 7) int top,
      @ForAll @IntRange(min = 1, max = 5) int slots,
      @ForAll @IntRange(min = 1, max = 200) int paths,
      @ForAll @IntRange(min = 0, max = 1000) int first,
      @ForAll Random random) {
    int treetop = Math.min(top, height);
    placement.begin(height, treetop, slots, first, paths);
    int[] labels = new int[4000];
    int[] origins = new int[4000];
    int count = addBucketsContents(height, treetop, slots, first, random, labels, origins);
    for (int i = random.nextInt(200); i > 0; i--) {
      int label = random.nextInt(1 << height);
      int number = placement.add(label, Placement.FROM_CLIENT);
      if (number >= 0) {
        assertThat(number).isEqualTo(count);
        labels[count] = label;
        origins[count++] = Placement.FROM_CLIENT;
      } else {
        // It meets no bucket of the uppermost level, and so none at all.
        assertThat(placement.position(label, treetop))
            .isGreaterThanOrEqualTo(placement.width(treetop));
      }
    }
    placement.place();

    int[] levelOf = new int[count];
    java.util.Arrays.fill(levelOf, -1);
    for (int level = treetop; level <= height; level++) {
      for (int position = 0; position < placement.width(level); position++) {
        for (int slot = 0; slot < slots; slot++) {
          int block = placement.placed(level, position, slot);
          if (block >= 0) {
            assertThat(levelOf[block]).as("placed once").isEqualTo(-1);
            levelOf[block] = level;
            assertThat(placement.position(labels[block], level)).isEqualTo(position);
            assertThat(level).as("never up").isGreaterThanOrEqualTo(origins[block]);
          }
        }
      }
    }
    for (int block = 0; block < count; block++) {
      if (origins[block] >= 0) {
        assertThat(levelOf[block]).as("was read, so has a place").isGreaterThanOrEqualTo(0);
      }
      assertDeeperBucketsAreFull(block, labels[block], levelOf[block], height, treetop, slots);
    }
  }

  /** Buckets as an eviction may find them: at most Z blocks each, all on their paths. */
  private int addBucketsContents(
      int height, int treetop, int slots, int first, Random random, int[] labels, int[] origins) {
    int count = 0;
    for (int level = treetop; level <= height; level++) {
      for (int position = 0; position < placement.width(level); position++) {
        int bucket = (first + position) & ((1 << level) - 1);
        for (int i = random.nextInt(slots + 1); i > 0 && count < 3500; i--) {
          int label = bucket + (random.nextInt(1 << (height - level)) << level);
          assertThat(placement.add(label, level)).isEqualTo(count);
          labels[count] = label;
          origins[count++] = level;
        }
      }
    }
    return count;
  }

  private void assertDeeperBucketsAreFull(
      int block, int label, int level, int height, int treetop, int slots) {
    for (int deeper = Math.max(level + 1, treetop); deeper <= height; deeper++) {
      int position = placement.position(label, deeper);
      if (position >= placement.width(deeper)) {
        return;
      }
      for (int slot = 0; slot < slots; slot++) {
        assertThat(placement.placed(deeper, position, slot))
            .as("block %d stays at level %d although level %d has room", block, level, deeper)
            .isGreaterThanOrEqualTo(0);
      }
    }
  }
}
