package io.github.roram.range;

import io.github.roram.OramConfig;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.state.SuperblockDescriptor;
import io.github.roram.tree.LevelLog;
import io.github.roram.tree.TreeGeometry;
import io.github.roram.tree.TreetopBudget;

/** Where the trees of an ORAM on the tree engine lie on the store: one after another. */
public final class StoreLayout {

  private final TreeGeometry[] geometries;
  private final LevelLog[] logs;

  /** The layout for a configuration. */
  public StoreLayout(OramConfig config) {
    TreeParameters parameters = TreeParameters.of(config);
    int[] trees = parameters.trees();
    geometries = new TreeGeometry[trees.length];
    logs = new LevelLog[trees.length];
    int height = Integer.numberOfTrailingZeros(parameters.leaves());
    int treetop = TreetopBudget.levels(config, trees.length, height);
    BucketDescriptor buckets = buckets(config);
    // One chunk is committed while the next is written.
    int slack = 2 * parameters.chunkPaths();
    long base = SuperblockDescriptor.BYTES;
    for (int tree = 0; tree < trees.length; tree++) {
      geometries[tree] =
          new TreeGeometry(
              tree, trees[tree], config.blocks(), height, treetop, parameters.bucketSlots());
      logs[tree] = new LevelLog(geometries[tree], slack, buckets.sealedBytes(), base);
      base = logs[tree].end();
    }
  }

  /** The bytes of a bucket. */
  static BucketDescriptor buckets(OramConfig config) {
    return new BucketDescriptor(TreeParameters.of(config).bucketSlots(), config.blockBytes(), 0);
  }

  /** Number of trees. */
  int trees() {
    return geometries.length;
  }

  /** The shape of a tree. */
  TreeGeometry geometry(int tree) {
    return geometries[tree];
  }

  /** The place of a tree. */
  LevelLog log(int tree) {
    return logs[tree];
  }

  /** Bytes of store that all trees and the superblock take. */
  public long bytes() {
    return logs[logs.length - 1].end();
  }
}
