package io.github.roram.tree;

import io.github.roram.IntegrityException;

/** Takes buckets that are read one after another, and that nobody keeps. */
public interface BucketVisitor {

  /**
   * A bucket that is the one expected.
   *
   * @param bucket number of the bucket in its level
   * @param plain its plaintext, valid during the call
   */
  void opened(int bucket, byte[] plain);

  /** A bucket that is not. Unless this is overridden, it ends the reading. */
  default void refused(int bucket, IntegrityException reason) {
    throw reason;
  }
}
