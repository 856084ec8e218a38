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
  private static final int SEALING_BYTES = 16 + 16;
  private static final int SLOT_HEADER_BYTES = 8;
  private static final int PATH_LINK_BYTES = 16;

  /**
   * A level of a tree.
   *
   * @param offset where it begins
   * @param places number of buckets that there is room for
   */
  record Level(int tree, int level, long offset, long places) {}

  private final List<Level> levels = new ArrayList<>();
  private final List<OramStats.TreeStats> trees;
  private final int bucketBytes;
  private final boolean classic;

  /** The map of a store; heights and treetops are taken from the statistics. */
  StoreMap(OramConfig config, OramStats stats) {
    trees = stats.trees();
    classic = "path".equals(config.scheme());
    bucketBytes =
        SEALING_BYTES
            + TreeParameters.of(config).bucketSlots() * (SLOT_HEADER_BYTES + config.blockBytes())
            + (classic ? PATH_LINK_BYTES : 0);
    long next = SUPERBLOCK_BYTES;
    for (int tree = 0; tree < trees.size(); tree++) {
      int height = trees.get(tree).height();
      for (int level = trees.get(tree).treetopLevels(); level <= height; level++) {
        long places = (1L << level) + (classic ? 0 : 2L * TreeParameters.of(config).chunkPaths());
        levels.add(new Level(tree, level, next, places));
        next += places * bucketBytes;
      }
    }
  }

  int bucketBytes() {
    return bucketBytes;
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
      for (long offset = extent.offset(); offset < extent.end(); offset += bucketBytes) {
        offsets.add(offset);
      }
    }
    return offsets;
  }

  Level levelAt(long offset) {
    for (Level level : levels) {
      if (offset >= level.offset() && offset < level.offset() + level.places() * bucketBytes) {
        return level;
      }
    }
    throw new IllegalArgumentException("there is no bucket at " + offset);
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
        result.add(leaf(level, (offset - level.offset()) / bucketBytes, evictions));
      }
    }
    return result;
  }

  private int leaf(Level level, long place, long evictions) {
    if (classic) {
      return (int) place;
    }
    // Counting starts at 2^h; the last eviction that wrote this place wrote the leaf.
    long last = evictions + (1L << level.level()) - 1;
    long writer = last - Math.floorMod(last - place, level.places());
    return (int) (writer & ((1L << level.level()) - 1));
  }
}
