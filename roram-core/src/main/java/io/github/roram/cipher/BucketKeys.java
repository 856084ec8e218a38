package io.github.roram.cipher;

import io.github.roram.crypto.MasterKey;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The keys that seal the buckets of one store: one for each epoch, derived by HKDF. A new epoch
 * begins with every opening and after every failed write, so that a nonce (tree, level, eviction)
 * is never used twice under one key, even when an eviction is done again with other contents
 * (construction, section 5). Each key also has a random salt, see {@link EpochSalts}.
 *
 * <p>Several threads may ask for keys at the same time, but for none while another epoch begins.
 */
public final class BucketKeys implements AutoCloseable {

  private final MasterKey master;
  private final UUID storeId;
  private final EpochSalts salts;
  private final Map<Integer, AesKey> byEpoch = new ConcurrentHashMap<>();

  /** The key that was asked for last: most buckets are of one epoch. */
  private volatile Found last;

  private int epoch;
  private AesKey current;

  private record Found(int epoch, AesKey key) {}

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
    this.current = byEpoch.computeIfAbsent(epoch, this::deriveKey);
    this.last = new Found(epoch, current);
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
    Found known = last;
    if (known.epoch() == pastEpoch) {
      return known.key();
    }
    AesKey key = byEpoch.computeIfAbsent(pastEpoch, this::deriveKey);
    last = new Found(pastEpoch, key);
    return key;
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
