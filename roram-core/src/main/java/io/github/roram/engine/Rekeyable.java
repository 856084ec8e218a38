package io.github.roram.engine;

import io.github.roram.cipher.BucketKeys;

/** An engine whose store can be opened with one key and sealed with another, in place. */
public interface Rekeyable {

  /**
   * What reseals all that the store holds, in an order that follows from the state, and from what
   * the buckets say that the state names: an engine that is built from the same state anew does the
   * same. Nonces are those that the buckets had.
   *
   * @param newKeys seal in their epoch, in which they never sealed anything else
   */
  Resealing resealing(BucketKeys newKeys);

  /** All that the store holds was sealed by keys of this epoch. */
  void resealed(int epoch);
}
