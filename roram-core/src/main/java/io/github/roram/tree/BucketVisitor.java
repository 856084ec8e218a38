package io.github.roram.tree;

import io.github.roram.IntegrityException;

/** Takes buckets that are read one after another to be checked. */
public interface BucketVisitor {

  /**
   * A bucket that is the one expected.
   *
   * @param bucket number of the bucket in its level
   * @param plain its plaintext, valid during the call
   */
  void opened(int bucket, byte[] plain);

  /** A bucket that is not. */
  void refused(int bucket, IntegrityException reason);
}
