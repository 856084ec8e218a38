package io.github.roram.tree;

import io.github.roram.stash.Stash;

/** A tree that was never accessed, as a bulk load sees it. */
public interface BulkTarget {

  /** The shape. */
  TreeGeometry geometry();

  /** The label of a block. */
  int label(int address);

  /** Adds consecutive buckets of a level, in the versions that a bulk load writes. */
  void addBuckets(BucketBatch batch, int level, int firstBucket, int count);

  /** Fills in the links of a bucket. */
  void putLinks(byte[] plain, int level, int bucket);

  /** Where the blocks go that fit no bucket below the treetop. */
  Stash stash();

  /** Every stored bucket of the tree was written. */
  void loaded();
}
