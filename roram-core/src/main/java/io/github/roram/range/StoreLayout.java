package io.github.roram.range;

import io.github.roram.IntegrityException;
import io.github.roram.OramConfig;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.ring.LevelRun;
import io.github.roram.ring.LevelTable;
import io.github.roram.ring.RingBucketStore;
import io.github.roram.state.SuperblockDescriptor;
import io.github.roram.store.BlockStore;
import io.github.roram.store.BucketStore;
import io.github.roram.tree.TreeGeometry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The trees of an ORAM on the tree engine, and where they lie on a store of bytes: one after
 * another, unless the store has a table that says otherwise.
 */
public final class StoreLayout {

  private final TreeGeometry[] geometries;
  private final BucketDescriptor[] descriptors;
  private final LevelTable table;

  /** The layout of a new store. */
  public StoreLayout(OramConfig config) {
    TreeParameters parameters = TreeParameters.of(config);
    int trees = parameters.trees().length;
    geometries = geometries(config);
    descriptors = descriptors(config, trees);
    List<LevelRun> runs = new ArrayList<>();
    // One chunk is committed while the next is written.
    int slack = 2 * parameters.chunkPaths();
    long base = SuperblockDescriptor.BYTES;
    for (int tree = 0; tree < trees; tree++) {
      int top = geometries[tree].treetopLevels();
      int levels = geometries[tree].height() + 1 - top;
      LevelRun run = new LevelRun(tree, top, levels, descriptors[tree].sealedBytes(), slack, base);
      runs.add(run);
      base = run.end();
    }
    table = new LevelTable(runs);
  }

  /**
   * The layout of a store that has a table of its levels.
   *
   * @throws IntegrityException if it lacks a level, has buckets of another size, or has less slack
   *     than a chunk needs
   */
  public StoreLayout(OramConfig config, LevelTable table) {
    geometries = geometries(config);
    descriptors = descriptors(config, geometries.length);
    this.table = table;
    for (TreeGeometry geometry : geometries) {
      for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
        check(config, geometry.tree(), run(table, geometry.tree(), level));
      }
    }
  }

  private static LevelRun run(LevelTable table, int tree, int level) {
    try {
      return table.run(tree, level);
    } catch (IllegalArgumentException e) {
      throw new IntegrityException(
          "the store's table of levels does not fit its parameters: "
              + e.getMessage()
              + "; restore the superblock from a copy",
          e);
    }
  }

  private void check(OramConfig config, int tree, LevelRun run) {
    int bucketBytes = descriptors[tree].sealedBytes();
    int chunkPaths = TreeParameters.of(config).chunkPaths();
    if (run.bucketBytes() != bucketBytes || run.slack() < chunkPaths) {
      throw new IntegrityException(
          "levels of tree "
              + tree
              + " are laid out as "
              + run
              + ", must have buckets of "
              + bucketBytes
              + " bytes and a slack of at least "
              + chunkPaths);
    }
  }

  private static TreeGeometry[] geometries(OramConfig config) {
    TreeParameters parameters = TreeParameters.of(config);
    int[] exponents = parameters.trees();
    TreeGeometry[] geometries = new TreeGeometry[exponents.length];
    int height = Integer.numberOfTrailingZeros(parameters.leaves());
    for (int tree = 0; tree < exponents.length; tree++) {
      geometries[tree] =
          TreeGeometry.within(
              config, tree, exponents[tree], config.blocks(), height, exponents.length);
    }
    return geometries;
  }

  private static BucketDescriptor[] descriptors(OramConfig config, int trees) {
    BucketDescriptor[] descriptors = new BucketDescriptor[trees];
    int slots = TreeParameters.of(config).bucketSlots();
    Arrays.setAll(descriptors, tree -> new BucketDescriptor(slots, config.blockBytes(), 0));
    return descriptors;
  }

  /** Number of trees. */
  int trees() {
    return geometries.length;
  }

  /** The shape of a tree. */
  TreeGeometry geometry(int tree) {
    return geometries[tree];
  }

  /** The layout of the buckets of a tree. */
  BucketDescriptor descriptor(int tree) {
    return descriptors[tree];
  }

  /** Where the levels lie. */
  public LevelTable table() {
    return table;
  }

  /** The buckets on a store. */
  BucketStore on(BlockStore store) {
    return new RingBucketStore(store, table);
  }

  /** Bytes of store that all trees and the superblock take. */
  public long bytes() {
    return table.end();
  }
}
