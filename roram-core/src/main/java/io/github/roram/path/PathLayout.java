package io.github.roram.path;

import io.github.roram.store.IoPhase;
import io.github.roram.tree.TreeGeometry;

/** Where a classic Path ORAM tree lies on the store: buckets at fixed places, level by level. */
final class PathLayout {

  private final TreeGeometry geometry;
  private final int bucketBytes;
  private final long base;

  /**
   * The layout of a tree.
   *
   * @param base byte offset of the tree in the store
   */
  PathLayout(TreeGeometry geometry, int bucketBytes, long base) {
    this.geometry = geometry;
    this.bucketBytes = bucketBytes;
    this.base = base;
  }

  /** Byte offset of what comes after the tree. */
  long end() {
    return offset(geometry.height(), 1 << geometry.height());
  }

  /** Byte offset of a bucket. */
  long offset(int level, int bucket) {
    long before = (1L << level) - (1L << geometry.treetopLevels());
    return base + (before + bucket) * bucketBytes;
  }

  /** Makes the batch the path of a label, root side first. */
  void readPath(BucketBatch batch, IoPhase phase, int label) {
    batch.reset(phase, geometry.tree(), bucketBytes);
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      batch.add(level, 0, offset(level, geometry.bucket(label, level)), 1);
    }
  }

  /** Makes the batch the path of a label as access {@code version} writes it, leaf first. */
  void writePath(BucketBatch batch, IoPhase phase, int label, long version) {
    batch.reset(phase, geometry.tree(), bucketBytes);
    for (int level = geometry.height(); level >= geometry.treetopLevels(); level--) {
      batch.add(level, version, offset(level, geometry.bucket(label, level)), 1);
    }
  }

  /** Adds consecutive buckets of a level, with consecutive versions. */
  void addBuckets(BucketBatch batch, int level, int firstBucket, int count, long firstVersion) {
    batch.add(level, firstVersion, offset(level, firstBucket), count);
  }
}
