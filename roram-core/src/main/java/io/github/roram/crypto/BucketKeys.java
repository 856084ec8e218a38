package io.github.roram.crypto;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The keys that seal the buckets of one store: one for each epoch, derived by HKDF. A new epoch
 * begins with every opening and after every failed write, so that a nonce (tree, level, eviction)
 * is never used twice under one key, even when an eviction is done again with other contents
 * (construction, section 5). Each key also has a random salt, see {@link EpochSalts}. Not thread
 * safe.
 */
public final class BucketKeys implements AutoCloseable {

  private final MasterKey master;
  private final UUID storeId;
  private final EpochSalts salts;
  private final Map<Integer, AesKey> byEpoch = new HashMap<>();
  private int epoch;
  private AesKey current;

  /**
   * Keys of a store, sealing in {@code epoch}.
   *
   * @param master taken over: closed with this
   * @param salts those of all epochs; kept up to date by whoever begins epochs
   */
  public BucketKeys(MasterKey master, UUID storeId, int epoch, EpochSalts salts) {
    this.master = master;
    this.storeId = storeId;
    this.salts = salts;
    this.epoch = epoch;
    this.current = forEpoch(epoch);
  }

  /** The epoch that seals. */
  public int epoch() {
    return epoch;
  }

  /** The key of the epoch that seals. */
  AesKey current() {
    return current;
  }

  /** Seals in a later epoch from now on. */
  public void advanceTo(int laterEpoch) {
    if (laterEpoch <= epoch) {
      throw new IllegalArgumentException("epoch " + laterEpoch + " is not after " + epoch);
    }
    epoch = laterEpoch;
    current = forEpoch(laterEpoch);
  }

  /** The key that sealed in a past epoch. */
  AesKey forEpoch(int pastEpoch) {
    return byEpoch.computeIfAbsent(pastEpoch, this::deriveKey);
  }

  private AesKey deriveKey(int keyEpoch) {
    byte[] random = salts.of(keyEpoch);
    byte[] salt =
        ByteBuffer.allocate(20 + random.length)
            .putLong(storeId.getMostSignificantBits())
            .putLong(storeId.getLeastSignificantBits())
            .putInt(keyEpoch)
            .put(random)
            .array();
    byte[] secret = master.derive("roram bucket", salt, AesKey.BYTES);
    try {
      return new AesKey(secret);
    } finally {
      Arrays.fill(secret, (byte) 0);
    }
  }

  @Override
  public void close() {
    byEpoch.values().forEach(AesKey::destroy);
    byEpoch.clear();
    master.close();
  }
}
