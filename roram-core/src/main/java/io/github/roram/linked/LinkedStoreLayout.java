package io.github.roram.linked;

import io.github.roram.AccessCost;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.parameters.Exponents;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.state.SuperblockDescriptor;
import io.github.roram.store.StoreParts;
import io.github.roram.tree.TreeGeometry;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the trees of a {@link LinkedOram} lie on the store: that of the data, and after it those of
 * its position map, each smaller than the one before. Where a journal is kept every bucket has two
 * places, so a write-back that is torn leaves the tree before it; else it has one, and each path is
 * written back for itself.
 */
public final class LinkedStoreLayout {

  /** Position map entries that the client holds itself, where the map is recursive. */
  static final int CLIENT_LABELS = 1024;

  private final List<Tree> layouts = new ArrayList<>();
  private final BucketDescriptor descriptor;
  private final int places;
  private final int writeBackPaths;
  private final int labelsPerBlock;

  /** The layout for a configuration. */
  public LinkedStoreLayout(OramConfig config) {
    this(config, config.blockBytes() / RecursivePositionMap.LABEL_BYTES, CLIENT_LABELS);
  }

  /**
   * A layout with another recursion than ours, for comparison.
   *
   * @param labelsPerBlock labels of a position map in each of its blocks, at least 2
   * @param mostClientLabels the recursion ends where the client can hold the labels
   */
  public LinkedStoreLayout(OramConfig config, int labelsPerBlock, int mostClientLabels) {
    this.labelsPerBlock = labelsPerBlock;
    TreeParameters parameters = TreeParameters.of(config);
    places = config.has(Scheme.Trait.JOURNALLED) ? 2 : 1;
    writeBackPaths = places == 2 ? parameters.chunkPaths() : 1;
    List<Long> sizes = new ArrayList<>(List.of(config.blocks()));
    long entries = config.blocks();
    while (parameters.recursivePositionMap() && entries > mostClientLabels) {
      entries = (entries + labelsPerBlock - 1) / labelsPerBlock;
      sizes.add(entries);
    }
    descriptor =
        new BucketDescriptor(parameters.bucketSlots(), config.blockBytes(), Tree.LINK_BYTES);
    long base = SuperblockDescriptor.BYTES;
    for (int tree = 0; tree < sizes.size(); tree++) {
      int height = height(sizes.get(tree), parameters.blocksPerLeaf());
      TreeGeometry geometry =
          TreeGeometry.within(config, tree, 0, sizes.get(tree), height, sizes.size());
      Tree layout = new Tree(geometry, descriptor, places, base);
      layouts.add(layout);
      base = layout.end();
    }
  }

  private static int height(long blocks, int blocksPerLeaf) {
    return Exponents.ceilLog2((blocks + blocksPerLeaf - 1) / blocksPerLeaf);
  }

  /** Returns the layout of the buckets, the same in all trees. */
  BucketDescriptor descriptor() {
    return descriptor;
  }

  /** Returns the number of trees. */
  int trees() {
    return layouts.size();
  }

  /** Returns the shape of a tree. */
  TreeGeometry geometry(int tree) {
    return layout(tree).geometry();
  }

  /** Returns the place of a tree. */
  Tree layout(int tree) {
    return layouts.get(tree);
  }

  /** Returns whether each bucket has two places. */
  boolean hasTwoPlaces() {
    return places == 2;
  }

  /** k: so many paths are written back together. */
  int writeBackPaths() {
    return writeBackPaths;
  }

  /** Labels of a position map in each of its blocks. */
  int labelsPerBlock() {
    return labelsPerBlock;
  }

  /** Labels that the client holds: those of the last tree's blocks. */
  int clientLabels() {
    return geometry(trees() - 1).ranges();
  }

  /** Returns where every level of every tree begins, for a store of several media. */
  StoreParts parts() {
    return new StoreParts(layouts.stream().map(Tree::levels).toList());
  }

  /** Returns the bytes of store that all trees and the superblock take. */
  public long bytes() {
    return layouts.get(layouts.size() - 1).end();
  }

  /**
   * Returns what accesses cost on average: for each block, and of each tree, a path is read, and a
   * k-th part of what k random paths do not share written.
   */
  AccessCost cost(int blocks) {
    AccessCost cost = AccessCost.NONE;
    for (Tree layout : layouts) {
      cost = cost.plus(cost(layout.geometry()));
    }
    return cost.times(blocks);
  }

  private AccessCost cost(TreeGeometry geometry) {
    int levels = geometry.height() + 1 - geometry.treetopLevels();
    double written = 0;
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      double width = 1L << level;
      written += width * (1 - StrictMath.pow(1 - 1 / width, writeBackPaths)) / writeBackPaths;
    }
    int bytes = descriptor.sealedBytes();
    return new AccessCost(
        1 + 1.0 / writeBackPaths, levels + written, (double) levels * bytes, written * bytes);
  }

  /**
   * Where a linked tree lies on the store: level by level from the uppermost stored one. A bucket
   * has one place or two: with two, one has what is current, and what is written goes to the other;
   * first come all first places of a level, then all second ones.
   *
   * @param geometry the shape
   * @param descriptor the layout of its buckets
   * @param places how many each bucket has
   * @param base byte offset of the tree in the store
   */
  record Tree(TreeGeometry geometry, BucketDescriptor descriptor, int places, long base) {

    /** Versions of the two children, in each bucket. */
    static final int LINK_BYTES = 2 * Long.BYTES;

    /**
     * Byte offset of a bucket.
     *
     * @param place 0 or 1
     */
    long offset(int level, int bucket, int place) {
      long before = (1L << level) - (1L << geometry.treetopLevels());
      long unit = places * before + ((long) place << level) + bucket;
      return base + unit * descriptor.sealedBytes();
    }

    /** Byte offset of what comes after the tree. */
    long end() {
      return offset(geometry.height() + 1, 0, 0);
    }

    /** Returns where every level begins, for a store of several media. */
    List<Long> levels() {
      List<Long> levels = new ArrayList<>();
      for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
        levels.add(offset(level, 0, 0));
      }
      return levels;
    }
  }
}
