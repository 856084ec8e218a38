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
 * The places of the trees of a {@link LinkedOram} on the store: the tree of the data, then those of
 * its position map, each smaller than the one before. If the scheme keeps a journal, every bucket
 * has two places, so a torn write-back leaves the tree as it was; otherwise it has one, and each
 * path is written back by itself.
 */
public final class LinkedStoreLayout {

  /** The most labels of a recursive position map that the client holds itself. */
  static final int CLIENT_LABELS = 1024;

  private final List<Tree> layouts = new ArrayList<>();
  private final BucketDescriptor descriptor;
  private final int places;
  private final int writeBackPaths;
  private final int labelsPerBlock;

  /** Creates the layout for a configuration. */
  public LinkedStoreLayout(OramConfig config) {
    this(config, config.blockBytes() / RecursivePositionMap.LABEL_BYTES, CLIENT_LABELS);
  }

  /**
   * Creates a layout with another recursion than ours, for comparison.
   *
   * @param labelsPerBlock labels of the position map in each of its blocks, at least 2
   * @param mostClientLabels the most labels that the client holds, at which the recursion ends
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

  /** Returns k, the number of paths that are written back together. */
  int writeBackPaths() {
    return writeBackPaths;
  }

  /** Returns the number of labels of the position map in each of its blocks. */
  int labelsPerBlock() {
    return labelsPerBlock;
  }

  /** Returns the number of labels that the client holds: those of the last tree's blocks. */
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
   * The place of a linked tree on the store, level by level from the uppermost stored one. A bucket
   * has one place or two. With two, one place has the current content and the next write goes to
   * the other; all first places of a level come before all second ones.
   *
   * @param geometry the shape
   * @param descriptor the layout of its buckets
   * @param places number of places of each bucket, 1 or 2
   * @param base byte offset of the tree in the store
   */
  record Tree(TreeGeometry geometry, BucketDescriptor descriptor, int places, long base) {

    /** Bytes of the versions of the two children, in each bucket. */
    static final int LINK_BYTES = 2 * Long.BYTES;

    /**
     * Returns the byte offset of a bucket.
     *
     * @param place 0 or 1
     */
    long offset(int level, int bucket, int place) {
      long before = (1L << level) - (1L << geometry.treetopLevels());
      long unit = places * before + ((long) place << level) + bucket;
      return base + unit * descriptor.sealedBytes();
    }

    /** Returns the byte offset of the end of the tree. */
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
