package io.github.roram.range;

import io.github.roram.AccessCost;
import io.github.roram.OramConfig;
import io.github.roram.maptree.MapChain;
import io.github.roram.maptree.MapShape;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.tree.RangeTree;
import io.github.roram.tree.TreeGeometry;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What accesses of a scheme on the tree engine cost on average, from its parameters alone: how many
 * buckets and how many extents the layout makes of uniform labels (construction, sections 2.3 and
 * 7). Chunks of evictions are as long as accesses of the same size make them, one after another.
 */
final class TreeCosts {

  /** So many chunks show of what lengths they are. */
  private static final int ENOUGH_CHUNKS = 32;

  private static final int MOST_ACCESSES = 1 << 14;

  private final TreeParameters parameters;
  private final StoreLayout layout;
  private final SizeClasses classes;
  private final OtherTreesDebt beside;
  private final @Nullable MapShape maps;

  /** Of this configuration. */
  TreeCosts(OramConfig config) {
    parameters = TreeParameters.of(config);
    layout = new StoreLayout(config);
    classes = new SizeClasses(parameters);
    beside = new OtherTreesDebt(parameters);
    maps = layout.maps();
  }

  /**
   * An access of rORAM, of so many blocks.
   *
   * @param writes whether it writes; of no matter where that is hidden
   */
  AccessCost ofRange(int blocks, boolean writes) {
    int sizeClass = classes.of(blocks);
    int tree = classes.tree(sizeClass);
    int ranges = classes.ranges(sizeClass);
    int read = ranges << classes.exponent(tree);
    AccessCost cost = read(tree, ranges, 1 << classes.exponent(tree));
    for (int other = 0; other < layout.dataTrees(); other++) {
      cost =
          cost.plus(
              other == tree
                  ? evictions(other, read)
                  : beside(other, classes.blocks(sizeClass), read, writes));
    }
    return cost.plus(lookUps(classes.exponent(tree), ranges));
  }

  /** The evictions of a tree that is not read. */
  private AccessCost beside(int tree, int classBlocks, int read, boolean writes) {
    double owed = beside.average(classBlocks, read, writes);
    if (owed == 0) {
      return AccessCost.NONE;
    }
    if (!beside.paysInTurn(classBlocks, writes)) {
      return evictions(tree, owed);
    }
    int others = layout.dataTrees() - 1;
    return evictions(tree, others * owed).times(1.0 / others);
  }

  /** An access of batched Path ORAM to one block. */
  AccessCost ofBlock() {
    return read(0, 1, 1).plus(evictions(0, 1)).plus(lookUps(0, 1));
  }

  private AccessCost lookUps(int rangeExponent, int ranges) {
    AccessCost cost = AccessCost.NONE;
    for (int level = 0; maps != null && level < maps.levels(); level++) {
      int runs = maps.runs(level, rangeExponent, ranges);
      int tree = layout.dataTrees() + level;
      cost = cost.plus(read(tree, runs, 1)).plus(evictions(tree, runs));
    }
    return cost;
  }

  /** A read of several runs of so many consecutive labels; each run begins anywhere. */
  private AccessCost read(int tree, int runs, int count) {
    TreeGeometry geometry = layout.geometry(tree);
    double buckets = 0;
    double extents = 0;
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      double width = 1L << level;
      boolean whole = count >= width;
      // Each bucket is missed by a run with the same probability.
      double met = whole ? width : width * (1 - miss(count, width, runs));
      // A piece begins where a bucket is met and the one before it is not.
      double begun = miss(count, width, runs) - miss(count + 1, width, runs);
      double pieces = whole ? 1 : Math.max(width * begun, Math.min(1, met / width));
      double joints = Math.max(0, met - pieces);
      // One joint of a level is where the counter stands, one of its ring where that ends.
      double broken = joints / width;
      broken += (joints - broken) / (width + slack(tree));
      buckets += met;
      extents += pieces + broken;
    }
    return new AccessCost(1, extents, buckets * bucketBytes(tree), 0);
  }

  /** The probability that runs of so many labels miss a bucket. */
  private static double miss(int count, double width, int runs) {
    return Math.pow(Math.max(0, 1 - count / width), runs);
  }

  /** The evictions for so many blocks at a time, again and again: chunks as they fall due. */
  private AccessCost evictions(int tree, double owed) {
    boolean isMap = tree >= layout.dataTrees();
    int most = layout.chunkPaths(parameters, tree);
    int window = parameters.windowBlocks();
    int waiting = isMap ? Math.min(window, parameters.blocksEvictedBy(most)) : window;
    double rate = parameters.evictionRate();
    Map<Integer, Integer> chunks = new HashMap<>();
    double debt = 0;
    int paths = 0;
    for (int access = 0; access < MOST_ACCESSES && paths < ENOUGH_CHUNKS * most; access++) {
      debt += owed;
      int chunk = (int) Math.min(most, debt / rate);
      while (debt >= waiting && chunk > 0) {
        chunks.merge(chunk, 1, Integer::sum);
        paths += chunk;
        debt -= chunk * rate;
        chunk = (int) Math.min(most, debt / rate);
      }
    }
    if (paths == 0) {
      chunks.put(most, 1);
      paths = most;
    }
    AccessCost cost = AccessCost.NONE;
    for (Map.Entry<Integer, Integer> chunk : chunks.entrySet()) {
      cost = cost.plus(chunk(tree, chunk.getKey()).times(chunk.getValue()));
    }
    return cost.times(owed / rate / paths);
  }

  /** A chunk of so many paths, read and written. */
  private AccessCost chunk(int tree, int paths) {
    TreeGeometry geometry = layout.geometry(tree);
    double buckets = 0;
    double extents = 0;
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      double width = Math.min(paths, 1L << level);
      buckets += width;
      extents += 1 + (width - 1) / ((1L << level) + slack(tree));
    }
    double bytes = buckets * bucketBytes(tree);
    return new AccessCost(2, 2 * extents, bytes, bytes);
  }

  private double slack(int tree) {
    return 2.0 * layout.chunkPaths(parameters, tree);
  }

  private int bucketBytes(int tree) {
    return layout.descriptor(tree).sealedBytes();
  }

  /**
   * Bytes that a read of so many paths moves. Here and below, runs of labels that meet the same
   * bucket count twice, and chunks are taken to be as long as they may be.
   */
  double readBytes(RangeTree tree, int paths) {
    TreeGeometry geometry = tree.geometry();
    long buckets = 0;
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      buckets += Math.min(1L << level, paths);
    }
    return (double) buckets * tree.descriptor().sealedBytes();
  }

  /** Bytes that the look-ups of a position map on the store move, of ranges of a tree. */
  double lookUpBytes(MapChain maps, RangeTree data, int ranges) {
    double bytes = 0;
    for (int level = 0; level < maps.trees().size(); level++) {
      RangeTree map = maps.trees().get(level);
      int runs = maps.runs(level, data, ranges);
      bytes += readBytes(map, runs) + evictionBytes(map, runs, maps.chunkPaths(level));
    }
    return bytes;
  }

  /** Bytes that the evictions for so many blocks read and write. */
  double evictionBytes(RangeTree tree, double owedBlocks) {
    return evictionBytes(tree, owedBlocks, parameters.chunkPaths());
  }

  /** As above, of a tree that evicts so many paths at once. */
  double evictionBytes(RangeTree tree, double owedBlocks, int paths) {
    return 2 * readBytes(tree, paths) / paths * owedBlocks / parameters.evictionRate();
  }
}
