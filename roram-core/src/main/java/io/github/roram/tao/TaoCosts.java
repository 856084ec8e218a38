package io.github.roram.tao;

import io.github.roram.AccessCost;
import io.github.roram.OramConfig;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.tree.TreeGeometry;

/** What accesses of a TaORAM cost on average. */
final class TaoCosts {

  private TaoCosts() {}

  /** For each block a path is read, and a k-th part of what k random paths do not share written. */
  static AccessCost of(OramConfig config, int blocks) {
    TaoLayout layout = new TaoLayout(config);
    TreeGeometry geometry = layout.geometry();
    int paths = TreeParameters.of(config).chunkPaths();
    int levels = geometry.height() + 1 - geometry.treetopLevels();
    double written = 0;
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      double width = 1L << level;
      written += width * (1 - StrictMath.pow(1 - 1 / width, paths)) / paths;
    }
    int bucketBytes = layout.descriptor().sealedBytes();
    return new AccessCost(
            1 + 1.0 / paths, levels + written, (double) levels * bucketBytes, written * bucketBytes)
        .times(blocks);
  }
}
