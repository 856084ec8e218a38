package io.github.roram.cipher;

/** Whether keys were wiped. */
public final class WipedKeys {

  private WipedKeys() {}

  /** Of the epoch that is sealed in. */
  public static boolean isWiped(BucketKeys keys) {
    return keys.forEpoch(keys.epoch()).isDestroyed();
  }
}
