package io.github.roram.tree;

import java.io.IOException;

/** A bulk load of one tree, under way: every stored bucket is written once. */
public interface BulkFill {

  /**
   * Writes consecutive buckets of a level in one request.
   *
   * @param source puts them together on the calling thread; unit 0 is {@code firstBucket}
   * @return bytes that were written
   */
  long write(int level, int firstBucket, int count, BucketSource source) throws IOException;

  /** Every stored bucket of the tree was written. */
  void done();
}
