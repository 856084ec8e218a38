package io.github.roram.path;

import io.github.roram.OramConfig;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.parameters.Exponents;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.state.SuperblockDescriptor;
import io.github.roram.store.StoreParts;
import io.github.roram.tree.TreeGeometry;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the trees of a classic Path ORAM lie on the store: that of the data, and after it those of
 * its position map, each smaller than the one before.
 */
public final class PathStoreLayout {

  /** Position map entries that the client holds itself, where the map is recursive. */
  static final int CLIENT_LABELS = 1024;

  private final List<TreeGeometry> geometries = new ArrayList<>();
  private final List<PathLayout> layouts = new ArrayList<>();
  private final BucketDescriptor descriptor;
  private final int clientLabels;
  private final int labelsPerBlock;

  /** The layout for a configuration. */
  public PathStoreLayout(OramConfig config) {
    this(config, config.blockBytes() / RecursivePositionMap.LABEL_BYTES, CLIENT_LABELS);
  }

  /**
   * A layout with another recursion than ours, for comparison.
   *
   * @param labelsPerBlock labels of a position map in each of its blocks, at least 2
   * @param mostClientLabels the recursion ends where the client can hold the labels
   */
  public PathStoreLayout(OramConfig config, int labelsPerBlock, int mostClientLabels) {
    this.labelsPerBlock = labelsPerBlock;
    TreeParameters parameters = TreeParameters.of(config);
    List<Long> sizes = new ArrayList<>(List.of(config.blocks()));
    long entries = config.blocks();
    while (parameters.recursivePositionMap() && entries > mostClientLabels) {
      entries = (entries + labelsPerBlock - 1) / labelsPerBlock;
      sizes.add(entries);
    }
    clientLabels = (int) entries;
    descriptor =
        new BucketDescriptor(parameters.bucketSlots(), config.blockBytes(), PathTree.LINK_BYTES);
    long base = SuperblockDescriptor.BYTES;
    for (int tree = 0; tree < sizes.size(); tree++) {
      int height = height(sizes.get(tree), parameters.blocksPerLeaf());
      TreeGeometry geometry =
          TreeGeometry.within(config, tree, 0, sizes.get(tree), height, sizes.size());
      PathLayout layout = new PathLayout(geometry, descriptor.sealedBytes(), base);
      geometries.add(geometry);
      layouts.add(layout);
      base = layout.end();
    }
  }

  private static int height(long blocks, int blocksPerLeaf) {
    return Exponents.ceilLog2((blocks + blocksPerLeaf - 1) / blocksPerLeaf);
  }

  /** The layout of the buckets, the same in all trees. */
  BucketDescriptor descriptor() {
    return descriptor;
  }

  /** Number of trees. */
  int trees() {
    return geometries.size();
  }

  /** The shape of a tree. */
  TreeGeometry geometry(int tree) {
    return geometries.get(tree);
  }

  /** The place of a tree. */
  PathLayout layout(int tree) {
    return layouts.get(tree);
  }

  /** Labels of a position map in each of its blocks. */
  int labelsPerBlock() {
    return labelsPerBlock;
  }

  /** Labels that the client holds: those of the last tree's blocks. */
  int clientLabels() {
    return clientLabels;
  }

  /** Where every level of every tree begins, for a store of several media. */
  StoreParts parts() {
    List<List<Long>> trees = new ArrayList<>();
    for (int tree = 0; tree < trees(); tree++) {
      List<Long> levels = new ArrayList<>();
      TreeGeometry geometry = geometry(tree);
      for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
        levels.add(layout(tree).offset(level, 0));
      }
      trees.add(levels);
    }
    return new StoreParts(trees);
  }

  /** Bytes of store that all trees and the superblock take. */
  public long bytes() {
    return layouts.get(layouts.size() - 1).end();
  }
}
