package io.github.roram.cipher;

/** Whether keys were wiped. */
public final class WipedKeys {

  private WipedKeys() {}

  /** Of the epoch that is sealed in. */
  public static boolean isWiped(BucketKeys keys) {
    try {
      return keys.forEpoch(keys.epoch()).isDestroyed();
    } catch (IllegalStateException e) {
      return true; // one that is not at hand cannot be derived any more
    }
  }
}
