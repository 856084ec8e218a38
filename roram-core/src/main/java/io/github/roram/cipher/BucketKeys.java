package io.github.roram.cipher;

import io.github.roram.crypto.MasterKey;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The keys that seal the buckets of one store: one for each epoch, derived by HKDF. A new epoch
 * begins with every opening and after every failed write, so that an eviction which is repeated
 * with other contents is not under the key of what the first try left behind (construction, section
 * 5). Each key also has a random salt: see {@link EpochSalts}.
 *
 * <p>Several threads may get keys at the same time, but not while another epoch begins.
 */
public final class BucketKeys implements AutoCloseable {

  private final MasterKey master;
  private final UUID storeId;
  private final EpochSalts salts;
  private final Map<Integer, AesKey> byEpoch = new ConcurrentHashMap<>();

  /** The key that was used last: most buckets are of one epoch. */
  private volatile Found last;

  private int epoch;

  private record Found(int epoch, AesKey key) {}

  /**
   * Creates the keys of a store, which seal in {@code epoch}.
   *
   * @param master the master key, which is closed with this
   * @param salts the salts of all epochs, which the code that begins epochs keeps up to date
   */
  public BucketKeys(MasterKey master, UUID storeId, int epoch, EpochSalts salts) {
    this.master = master;
    this.storeId = storeId;
    this.salts = salts;
    this.epoch = epoch;
    this.last = new Found(epoch, byEpoch.computeIfAbsent(epoch, this::deriveKey));
  }

  /** Returns the epoch that was begun last. */
  public int epoch() {
    return epoch;
  }

  /** Begins a later epoch, which has a key of its own. */
  public void advanceTo(int laterEpoch) {
    if (laterEpoch <= epoch) {
      throw new IllegalArgumentException("epoch " + laterEpoch + " is not after " + epoch);
    }
    forEpoch(laterEpoch);
    epoch = laterEpoch;
  }

  /** Returns the key of an epoch. */
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
    return AesKey.derive(master, "roram bucket", salt);
  }

  @Override
  public void close() {
    byEpoch.values().forEach(AesKey::destroy);
    byEpoch.clear();
    master.close();
  }
}
