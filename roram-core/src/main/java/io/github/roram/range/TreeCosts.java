package io.github.roram.range;

import io.github.roram.AccessCost;
import io.github.roram.OramConfig;
import io.github.roram.maptree.MapChain;
import io.github.roram.tree.RangeTree;
import io.github.roram.tree.TreeGeometry;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What accesses of a scheme on the tree engine cost on average, from its parameters alone: how many
 * buckets and how many extents the layout makes of uniform labels (construction, sections 2.3 and
 * 7). Chunks of evictions are as long as accesses of the same size make them, one after another.
 */
final class TreeCosts extends AccessCosts<AccessCost> {

  /** So many chunks show of what lengths they are. */
  private static final int ENOUGH_CHUNKS = 32;

  private static final int MOST_ACCESSES = 1 << 14;

  /** A plan asks for some hundreds of them, each a thousand times. */
  private static final int MOST_KNOWN = 1 << 12;

  private static final Map<Pace, Chunks> KNOWN = new ConcurrentHashMap<>();

  /**
   * What chunks follow from.
   *
   * @param owed blocks for which an access evicts
   * @param rate blocks that evict a path
   * @param waiting blocks that wait before a chunk is due
   * @param most paths of a chunk
   */
  private record Pace(double owed, double rate, int waiting, int most) {}

  /**
   * Chunks of accesses that follow one another.
   *
   * @param lengths how many chunks there are of how many paths
   * @param paths of all of them
   */
  private record Chunks(Map<Integer, Integer> lengths, int paths) {

    static Chunks of(Pace pace) {
      Map<Integer, Integer> lengths = new HashMap<>();
      double debt = 0;
      int paths = 0;
      for (int access = 0; access < MOST_ACCESSES && paths < ENOUGH_CHUNKS * pace.most; access++) {
        debt += pace.owed;
        int chunk = (int) Math.min(pace.most, debt / pace.rate);
        while (debt >= pace.waiting && chunk > 0) {
          lengths.merge(chunk, 1, Integer::sum);
          paths += chunk;
          debt -= chunk * pace.rate;
          chunk = (int) Math.min(pace.most, debt / pace.rate);
        }
      }
      return paths == 0 ? new Chunks(Map.of(pace.most, 1), pace.most) : new Chunks(lengths, paths);
    }
  }

  /** Of this configuration. */
  TreeCosts(OramConfig config) {
    super(config);
  }

  /** A read of several runs of so many consecutive labels; each run begins anywhere. */
  @Override
  AccessCost read(int tree, int runs, int count) {
    TreeGeometry geometry = layout.geometry(tree);
    double buckets = 0;
    double extents = 0;
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      Met met = Met.of(geometry, level, runs, count);
      // One joint of a level is where the counter stands, one of its ring where that ends.
      double broken = met.joints() / met.width();
      broken += (met.joints() - broken) / (met.width() + slack(tree));
      buckets += met.buckets();
      extents += met.pieces() + broken;
    }
    return new AccessCost(1, extents, buckets * bucketBytes(tree), 0);
  }

  /** The evictions for so many blocks at a time, again and again: chunks as they fall due. */
  @Override
  AccessCost evictions(int tree, double owed) {
    int most = layout.chunkPaths(parameters, tree);
    int waiting = layout.windowBlocks(parameters, tree);
    Pace pace = new Pace(owed, parameters.evictionRate(), waiting, most);
    if (KNOWN.size() > MOST_KNOWN) {
      KNOWN.clear();
    }
    Chunks chunks = KNOWN.computeIfAbsent(pace, Chunks::of);
    AccessCost cost = AccessCost.NONE;
    for (Map.Entry<Integer, Integer> chunk : chunks.lengths.entrySet()) {
      cost = cost.plus(chunk(tree, chunk.getKey()).times(chunk.getValue()));
    }
    return cost.times(owed / pace.rate / chunks.paths);
  }

  /** A chunk of so many paths, read and written. */
  private AccessCost chunk(int tree, int paths) {
    TreeGeometry geometry = layout.geometry(tree);
    double buckets = 0;
    double extents = 0;
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      double width = Math.min(paths, 1L << level);
      buckets += width * geometry.storedShare(level);
      if (geometry.firstStored(level) > 0) {
        extents += geometry.storedShare(level) + (width - 1) / (1L << level);
      } else {
        extents += 1 + (width - 1) / ((1L << level) + slack(tree));
      }
    }
    double bytes = buckets * bucketBytes(tree);
    return new AccessCost(2, 2 * extents, bytes, bytes);
  }

  @Override
  AccessCost plus(AccessCost one, AccessCost other) {
    return one.plus(other);
  }

  @Override
  AccessCost times(AccessCost cost, double factor) {
    return cost.times(factor);
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
    double buckets = 0;
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      buckets += Math.min(1L << level, paths) * geometry.storedShare(level);
    }
    return buckets * tree.descriptor().sealedBytes();
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
