package io.github.roram.suites;

import io.github.roram.OramConfig;
import io.github.roram.Preset;
import java.util.Random;
import java.util.stream.IntStream;

/** Draws scenarios from everything that a configuration allows, small. */
final class Scenarios {

  static final int BLOCK_BYTES = 512;

  /** Leaves a parameter to the preset. */
  private static final int PRESET = -1;

  private static final int[] BLOCKS = {1, 2, 3, 5, 17, 64, 100, 257, 600, 1000};
  private static final int[] LONGEST = {1, 2, 5, 8, 11, 16, 32};
  private static final int[] CHUNK_PATHS = {PRESET, 1, 7, 64};
  private static final int[] WINDOW_BLOCKS = {PRESET, 0, 1, 50, 300};
  private static final int[] TREETOP_BUCKETS = {0, 0, 1, 9, 100, 5000};
  private static final int[] SEGMENTS = {0, 0, 0, 0, 3, 8};
  private static final int[] MAP_BLOCKS = {2, 4, 64};
  private static final int[] CLIENT_LABELS = {1, 10, 1000};
  private static final int[] LOADED_PERCENT = {0, 0, 30, 100};

  private Scenarios() {}

  /** A scenario of this scheme and preset; everything else follows from the seed. */
  static Scenario of(String scheme, Preset preset, long seed) {
    Random random = new Random(seed);
    int blocks = pick(random, BLOCKS);
    int longest = Math.min(pick(random, LONGEST), roundedUp(blocks));
    OramConfig.Builder builder =
        OramConfig.builder(blocks)
            .scheme(scheme)
            .preset(preset)
            .blockBytes(BLOCK_BYTES)
            .maxRangeBlocks(longest);
    int chunk = pick(random, CHUNK_PATHS);
    if (chunk != PRESET) {
      builder.chunkPaths(chunk);
    }
    int window = pick(random, WINDOW_BLOCKS);
    if (window != PRESET) {
      builder.windowBlocks(window);
    }
    int bucketBytes = preset.bucketSlots() * BLOCK_BYTES;
    builder.treetopBytes((long) pick(random, TREETOP_BUCKETS) * bucketBytes);
    if ("roram".equals(scheme)) {
      int[] classes = classes(random, longest);
      builder.sizeClasses(classes);
      if (preset != Preset.PAPER && random.nextBoolean()) {
        builder.trees(trees(random, classes[classes.length - 1]));
      }
      builder.revealOperationType(random.nextInt(4) == 0);
    } else if ("path".equals(scheme)) {
      builder.recursivePositionMap(random.nextBoolean());
    }
    if (!"path".equals(scheme) && random.nextBoolean()) {
      builder
          .positionMap("recursive")
          .set("blocksPerMapBlock", pick(random, MAP_BLOCKS))
          .set("clientLabels", pick(random, CLIENT_LABELS));
    }
    return new Scenario(
        builder.build(), pick(random, SEGMENTS), pick(random, LOADED_PERCENT), seed);
  }

  /** All classes, or a list with gaps. */
  private static int[] classes(Random random, int longest) {
    int largest = 32 - Integer.numberOfLeadingZeros(longest - 1);
    boolean gaps = random.nextBoolean();
    return IntStream.rangeClosed(0, largest)
        .filter(i -> i == 0 || i == largest || !gaps || random.nextInt(3) == 0)
        .toArray();
  }

  /** Any list from 0 on, of classes or of others. */
  private static int[] trees(Random random, int largest) {
    return IntStream.rangeClosed(0, largest)
        .filter(t -> t == 0 || random.nextInt(3) == 0)
        .toArray();
  }

  private static int roundedUp(int blocks) {
    return blocks == 1 ? 1 : 2 * Integer.highestOneBit(blocks - 1);
  }

  private static int pick(Random random, int[] values) {
    return values[random.nextInt(values.length)];
  }
}
