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

  private record Found(int epoch, AesKey key) {}

  /**
   * Keys of a store, sealing in {@code epoch}.
   *
   * @param master taken over: closed with this
   * @param salts those of all epochs; kept up to date by the code that begins epochs
   */
  public BucketKeys(MasterKey master, UUID storeId, int epoch, EpochSalts salts) {
    this.master = master;
    this.storeId = storeId;
    this.salts = salts;
    this.epoch = epoch;
    this.last = new Found(epoch, byEpoch.computeIfAbsent(epoch, this::deriveKey));
  }

  /** The epoch that was begun last. */
  public int epoch() {
    return epoch;
  }

  /** A later epoch begins: what is sealed in it has a key of its own. */
  public void advanceTo(int laterEpoch) {
    if (laterEpoch <= epoch) {
      throw new IllegalArgumentException("epoch " + laterEpoch + " is not after " + epoch);
    }
    forEpoch(laterEpoch);
    epoch = laterEpoch;
  }

  /** The key of an epoch. */
  AesKey forEpoch(int ofEpoch) {
    Found known = last;
    if (known.epoch() == ofEpoch) {
      return known.key();
    }
    AesKey key = byEpoch.computeIfAbsent(ofEpoch, this::deriveKey);
    last = new Found(ofEpoch, key);
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
