package io.github.roram.tree;

/** Puts together the buckets of a request that is to be written. */
@FunctionalInterface
public interface BucketSource {

  /**
   * Fills in a bucket, all of it but the links.
   *
   * @param unit number of the bucket in the request
   */
  void assemble(int unit, byte[] plain);
}
