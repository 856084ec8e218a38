package io.github.roram.suites;

import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.testkit.RecordingStore.Extent;
import io.github.roram.testkit.RecordingStore.Request;
import java.util.ArrayList;
import java.util.List;

/**
 * Which bucket of which level stands where in a store: the layout of the construction (section
 * 2.3), worked out anew from the configuration, since tests that ask the code under test learn
 * nothing. It is what a server can work out, too.
 */
final class StoreMap {

  private static final int SUPERBLOCK_BYTES = 4096;
  private static final int SEALING_BYTES = 28 + 16;
  private static final int SLOT_HEADER_BYTES = 8;
  private static final int PATH_LINK_BYTES = 16;
  private static final int TOMBSTONE_BYTES = 8;

  /**
   * A level of a tree.
   *
   * @param offset where it begins
   * @param places number of buckets that there is room for
   * @param bucketBytes bytes of each
   */
  record Level(int tree, int level, long offset, long places, int bucketBytes) {}

  private final List<Level> levels = new ArrayList<>();
  private final List<OramStats.TreeStats> trees;
  private final boolean classic;

  /** Whether each bucket has two places: all first ones of a level, then all second ones. */
  private final boolean twofold;

  /** The map of a store; heights and treetops are taken from the statistics. */
  StoreMap(OramConfig config, OramStats stats) {
    trees = stats.trees();
    twofold = "tao".equals(config.scheme());
    classic = twofold || "path".equals(config.scheme());
    TreeParameters parameters = TreeParameters.of(config);
    int dataTrees = classic ? trees.size() : parameters.trees().length;
    long next = SUPERBLOCK_BYTES;
    for (int tree = 0; tree < trees.size(); tree++) {
      int height = trees.get(tree).height();
      boolean isMap = tree >= dataTrees;
      int blockBytes = isMap ? mapBlockBytes(parameters, tree - dataTrees) : config.blockBytes();
      int most = isMap ? Math.min(32, 1 << height) : Integer.MAX_VALUE;
      int chunk = Math.min(most, parameters.chunkPaths());
      int bucketBytes =
          SEALING_BYTES
              + parameters.bucketSlots() * (SLOT_HEADER_BYTES + blockBytes)
              + (classic ? PATH_LINK_BYTES : 0);
      if (hasTombstones(parameters, tree, trees.size() - dataTrees)) {
        bucketBytes += parameters.bucketSlots() * TOMBSTONE_BYTES;
      }
      for (int level = trees.get(tree).treetopLevels(); level <= height; level++) {
        long places = (twofold ? 2L : 1L) * (1L << level) + (classic ? 0 : 2L * chunk);
        levels.add(new Level(tree, level, next, places, bucketBytes));
        next += places * bucketBytes;
      }
    }
  }

  /** The labels of the last tree are the client's, and those of ranges that no map block holds. */
  private static boolean hasTombstones(TreeParameters parameters, int tree, int maps) {
    int fan = Integer.numberOfTrailingZeros(parameters.mapForm().blocksPerMapBlock());
    int[] exponents = parameters.trees();
    return parameters.mapForm().isRecursive()
        && (tree < exponents.length
            ? exponents[tree] <= fan * maps
            : tree < exponents.length + maps - 1);
  }

  /** Four bytes for each label of 2^g blocks; from the second level on, those of blocks below. */
  private static int mapBlockBytes(TreeParameters parameters, int level) {
    int fan = Integer.numberOfTrailingZeros(parameters.mapForm().blocksPerMapBlock());
    int exponent = fan * (level + 1);
    int labels = level == 0 ? 0 : 1 << fan;
    for (int tree : parameters.trees()) {
      boolean here = tree <= exponent && (level == 0 || tree > fan * level);
      labels += here ? 1 << (exponent - tree) : 0;
    }
    return labels * 4;
  }

  List<Level> levels() {
    return levels;
  }

  int height(int tree) {
    return trees.get(tree).height();
  }

  /** Where each bucket of a request stands, in its order. */
  List<Long> buckets(Request request) {
    List<Long> offsets = new ArrayList<>();
    for (Extent extent : request.extents()) {
      int bucketBytes = levelAt(extent.offset()).bucketBytes();
      for (long offset = extent.offset(); offset < extent.end(); offset += bucketBytes) {
        offsets.add(offset);
      }
    }
    return offsets;
  }

  Level levelAt(long offset) {
    for (Level level : levels) {
      if (offset >= level.offset()
          && offset < level.offset() + level.places() * level.bucketBytes()) {
        return level;
      }
    }
    throw new IllegalArgumentException("there is no bucket at " + offset);
  }

  /** Where the bucket ends that has a byte of the store, or the superblock. */
  long endOfBucket(long offset) {
    if (offset < SUPERBLOCK_BYTES) {
      return SUPERBLOCK_BYTES;
    }
    Level level = levelAt(offset);
    long number = (offset - level.offset()) / level.bucketBytes();
    return level.offset() + (number + 1) * level.bucketBytes();
  }

  /** Number of buckets of each level that a request touches. */
  List<Integer> bucketsPerLevel(Request request) {
    int[] counts = new int[64];
    for (long offset : buckets(request)) {
      counts[levelAt(offset).level()]++;
    }
    List<Integer> result = new ArrayList<>();
    for (int level = 0; level <= height(request.tree()); level++) {
      result.add(counts[level]);
    }
    return result;
  }

  /**
   * The leaves that a read of paths meets, in its order: whole runs of labels.
   *
   * @param evictions how many evictions the tree had done by then
   */
  List<Integer> leaves(Request request, long evictions) {
    int height = height(request.tree());
    List<Integer> result = new ArrayList<>();
    for (long offset : buckets(request)) {
      Level level = levelAt(offset);
      if (level.level() == height) {
        result.add(leaf(level, (offset - level.offset()) / level.bucketBytes(), evictions));
      }
    }
    return result;
  }

  private int leaf(Level level, long place, long evictions) {
    if (classic) {
      return (int) place & ((1 << level.level()) - 1);
    }
    // Counting starts at 2^h; the last eviction that wrote this place wrote the leaf.
    long last = evictions + (1L << level.level()) - 1;
    long writer = last - Math.floorMod(last - place, level.places());
    return (int) (writer & ((1L << level.level()) - 1));
  }
}
