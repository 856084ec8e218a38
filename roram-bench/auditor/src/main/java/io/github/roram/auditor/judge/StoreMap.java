package io.github.roram.auditor.judge;

import io.github.roram.OramConfig;
import io.github.roram.parameters.PathParameters;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.parameters.TreetopBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where the trees of a store lie, worked out from what its superblock shows, as a server can. The
 * layout is computed here anew (docs/file-formats.md, "Store"), since an auditor that asks the code
 * under audit learns nothing. Only how many levels the client keeps to itself is asked of the
 * library: another number would shift all buckets, and no request would fit the map.
 *
 * <p>A level j of a tree whose evictions follow a counter is a ring of 2^j + S buckets: eviction t
 * writes its bucket of level j at place t mod (2^j + S). In classic Path ORAM bucket b of a level
 * stands at place b.
 */
final class StoreMap {

  private static final int SUPERBLOCK_BYTES = 4096;
  private static final int SEALING_BYTES = 16 + 16;
  private static final int SLOT_HEADER_BYTES = 8;
  private static final int PATH_LINK_BYTES = 16;
  private static final int LABEL_BYTES = 4;
  private static final int MOST_CLIENT_LABELS = 1024;

  /**
   * A level of a tree.
   *
   * @param tree number of its tree
   * @param level its number
   * @param offset where it begins, in bytes
   * @param places number of buckets that there is room for
   */
  record Level(int tree, int level, long offset, long places) {}

  /**
   * A tree.
   *
   * @param number its number in the store
   * @param height h: levels 0 … h
   * @param treetopLevels m: levels 0 … m − 1 are not on the store
   * @param rangeBlocks 2^t: labels of one run
   * @param levels those on the store, from level m on
   */
  record Tree(int number, int height, int treetopLevels, int rangeBlocks, List<Level> levels) {

    /** 2^h. */
    int leaves() {
      return 1 << height;
    }

    Level level(int level) {
      return levels.get(level - treetopLevels);
    }
  }

  private final List<Tree> trees = new ArrayList<>();
  private final TreeMap<Long, Level> byOffset = new TreeMap<>();
  private final int bucketBytes;
  private final boolean classic;
  private final int slack;
  private final int chunkPaths;

  /** The places of a store; without trees there are none, and every request counts as it is. */
  StoreMap(OramConfig config) {
    if (!(config.parameters() instanceof TreeParameters parameters)) {
      classic = false;
      slack = 0;
      chunkPaths = 0;
      bucketBytes = 1;
      return;
    }
    classic = parameters instanceof PathParameters;
    slack = classic ? 0 : 2 * parameters.chunkPaths();
    chunkPaths = parameters.chunkPaths();
    bucketBytes =
        SEALING_BYTES
            + parameters.bucketSlots() * (SLOT_HEADER_BYTES + config.blockBytes())
            + (classic ? PATH_LINK_BYTES : 0);
    List<Long> sizes = treeBlocks(config, parameters);
    long next = SUPERBLOCK_BYTES;
    for (int number = 0; number < sizes.size(); number++) {
      int height = ceilLog2(ceilDivide(sizes.get(number), parameters.blocksPerLeaf()));
      int treetop = TreetopBudget.levels(config, sizes.get(number), height, sizes.size());
      List<Level> levels = new ArrayList<>();
      int range = classic ? 1 : 1 << parameters.trees()[number];
      Tree tree = new Tree(number, height, treetop, range, levels);
      for (int level = treetop; level <= height; level++) {
        Level added = new Level(number, level, next, (1L << level) + slack);
        levels.add(added);
        byOffset.put(next, added);
        next += added.places() * bucketBytes;
      }
      trees.add(tree);
    }
  }

  /** Number of blocks of each tree. */
  private static List<Long> treeBlocks(OramConfig config, TreeParameters parameters) {
    List<Long> sizes = new ArrayList<>(List.of(config.blocks()));
    if (!(parameters instanceof PathParameters)) {
      while (sizes.size() < parameters.trees().length) {
        sizes.add(config.blocks());
      }
      return sizes;
    }
    long labels = config.blocks();
    while (parameters.recursivePositionMap() && labels > MOST_CLIENT_LABELS) {
      labels = ceilDivide(labels, config.blockBytes() / LABEL_BYTES);
      sizes.add(labels);
    }
    return sizes;
  }

  private static long ceilDivide(long dividend, long divisor) {
    return (dividend + divisor - 1) / divisor;
  }

  private static int ceilLog2(long n) {
    return n <= 1 ? 0 : Long.SIZE - Long.numberOfLeadingZeros(n - 1);
  }

  /** Whether paths are read and written at fixed places. */
  boolean isClassic() {
    return classic;
  }

  /** S: how far a level's ring is longer than the level. */
  int slack() {
    return slack;
  }

  /** K: the most paths of one eviction. */
  int chunkPaths() {
    return chunkPaths;
  }

  int bucketBytes() {
    return bucketBytes;
  }

  List<Tree> trees() {
    return trees;
  }

  /** The level that has a byte of the store; null outside of all trees. */
  @Nullable Level levelAt(long offset) {
    Map.Entry<Long, Level> found = byOffset.floorEntry(offset);
    if (found == null) {
      return null;
    }
    Level level = found.getValue();
    return offset < level.offset() + level.places() * bucketBytes ? level : null;
  }

  /** Where the buckets of a request stand, in its order; null unless they are whole buckets. */
  long @Nullable [] buckets(Request request) {
    int count = 0;
    for (Request.Extent extent : request.extents()) {
      Level level = levelAt(extent.offset());
      if (level == null
          || (extent.offset() - level.offset()) % bucketBytes != 0
          || extent.bytes() % bucketBytes != 0) {
        return null;
      }
      count += (int) (extent.bytes() / bucketBytes);
    }
    long[] offsets = new long[count];
    int next = 0;
    for (Request.Extent extent : request.extents()) {
      for (long done = 0; done < extent.bytes(); done += bucketBytes) {
        offsets[next++] = extent.offset() + done;
      }
    }
    return offsets;
  }

  /** Place of a bucket in its level's ring. */
  long place(Level level, long offset) {
    return (offset - level.offset()) / bucketBytes;
  }

  /** Where the bucket stands that an eviction writes at a level. */
  long offset(Level level, long eviction) {
    return level.offset() + eviction % level.places() * bucketBytes;
  }

  /** The last eviction before {@code evictions} that wrote a place of a level. */
  static long writer(Level level, long place, long evictions) {
    long last = evictions - 1;
    return last - Math.floorMod(last - place, level.places());
  }
}
