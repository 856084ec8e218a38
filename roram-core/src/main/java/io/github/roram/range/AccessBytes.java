package io.github.roram.range;

import io.github.roram.maptree.MapChain;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.tree.RangeTree;
import io.github.roram.tree.TreeGeometry;

/**
 * What accesses to trees that were written all over move on average (construction, section 7): runs
 * of labels that meet the same bucket count twice, chunks are taken to be as long as they may be.
 */
final class AccessBytes {

  private final TreeParameters parameters;

  AccessBytes(TreeParameters parameters) {
    this.parameters = parameters;
  }

  /** Bytes that a read of so many paths moves. */
  double read(RangeTree tree, int paths) {
    TreeGeometry geometry = tree.geometry();
    long buckets = 0;
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      buckets += Math.min(1L << level, paths);
    }
    return (double) buckets * tree.descriptor().sealedBytes();
  }

  /** Bytes that the look-ups of a position map on the store move, of ranges of a tree. */
  double lookUps(MapChain maps, RangeTree data, int ranges) {
    double bytes = 0;
    for (int level = 0; level < maps.trees().size(); level++) {
      RangeTree map = maps.trees().get(level);
      int runs = maps.runs(level, data, ranges);
      bytes += read(map, runs) + evictions(map, runs, maps.chunkPaths(level));
    }
    return bytes;
  }

  /** Bytes that the evictions for so many blocks read and write. */
  double evictions(RangeTree tree, double owedBlocks) {
    return evictions(tree, owedBlocks, parameters.chunkPaths());
  }

  /** As above, of a tree that evicts so many paths at once. */
  double evictions(RangeTree tree, double owedBlocks, int paths) {
    return 2 * read(tree, paths) / paths * owedBlocks / parameters.evictionRate();
  }
}
