package io.github.roram.engine;

import io.github.roram.cipher.BucketKeys;

/** An engine whose store can be opened with one key and sealed with another, in place. */
public interface Rekeyable {

  /**
   * Returns a pass that reseals the whole store, in an order that depends on the state and on the
   * content of buckets that the state names, so that an engine rebuilt from the same state repeats
   * it. Buckets get fresh nonces.
   *
   * @param newKeys the new keys, whose epoch has sealed nothing else
   */
  Resealing resealing(BucketKeys newKeys);

  /** Called when keys of this epoch have sealed everything on the store. */
  void resealed(int epoch);
}
