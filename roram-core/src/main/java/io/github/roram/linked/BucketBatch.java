package io.github.roram.linked;

import io.github.roram.bucket.BucketCodec;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;

/**
 * Buckets at fixed places: where they stand, and what each must be. No version of a bucket is used
 * in two key epochs, so the names leave the epoch open.
 */
final class BucketBatch {

  private final ExtentBatch extents = new ExtentBatch();
  private final BucketRuns names = new BucketRuns();

  /** Empties the batch. */
  BucketBatch reset(IoPhase phase, int tree, int bucketBytes) {
    extents.reset(phase, tree, bucketBytes);
    names.reset(phase, tree, bucketBytes);
    return this;
  }

  /** Appends a bucket. */
  void add(int level, long version, long offset) {
    names.add(level, version, 1, BucketCodec.ANY_EPOCH);
    extents.add(offset, 1);
  }

  /** What goes to the store. */
  ExtentBatch extents() {
    return extents;
  }

  /** What the buckets must be: level and version. */
  BucketRuns names() {
    return names;
  }
}
