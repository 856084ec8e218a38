package io.github.roram.pattern;

import io.github.roram.IntegrityException;
import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.bucket.SealedBucket;
import io.github.roram.cipher.BucketKeys;
import io.github.roram.cipher.Nonces;
import io.github.roram.engine.Payload;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * Blocks that hold nothing while they are with the client, in buckets that are as long on the store
 * as if they did: only what is accessed counts. For experiments; it cannot be had from outside.
 */
final class PayloadFree implements Payload {

  private final PatternStore store;
  private final boolean asWritten;

  /**
   * Blocks whose buckets go to this store.
   *
   * @param asWritten whether buckets that were never written are taken for empty ones
   */
  PayloadFree(PatternStore store, boolean asWritten) {
    this.store = store;
    this.asWritten = asWritten;
  }

  @Override
  public BucketCodec codec(BucketDescriptor descriptor, BucketKeys keys, UUID storeId) {
    BucketDescriptor kept = descriptor.withoutPayload();
    store.keep(kept);
    return new Codec(kept, keys, storeId, asWritten);
  }

  @Override
  public int heldBytes(int blockBytes) {
    return 0;
  }

  /**
   * Stands in for {@link BucketCodec} where only the access pattern counts: writes the number of
   * the eviction and the plain addresses, labels and links, and skips what is left of the bucket.
   *
   * <h2>Security</h2>
   *
   * None: nothing is encrypted or authenticated, and no data is kept. A bucket in the wrong place
   * is noticed by its number, as a check of the ORAM itself. Reachable through {@link PatternOram}
   * only.
   */
  private static final class Codec extends BucketCodec {

    private final BucketKeys keys;
    private final UUID storeId;
    private final int plainBytes;
    private final boolean asWritten;

    /**
     * A codec for buckets without payload.
     *
     * @param keys of which only the epoch is used
     * @param asWritten whether a bucket that was never written is taken for an empty one
     */
    Codec(BucketDescriptor descriptor, BucketKeys keys, UUID storeId, boolean asWritten) {
      super(descriptor, keys, storeId);
      this.keys = keys;
      this.storeId = storeId;
      this.asWritten = asWritten;
      plainBytes = descriptor.plainBytes();
    }

    @Override
    public BucketCodec duplicate() {
      return new Codec(descriptor(), keys, storeId, asWritten);
    }

    @Override
    public void seal(
        byte[] plain,
        int tree,
        int level,
        long eviction,
        int epoch,
        Nonces nonces,
        int unit,
        SealedBucket target) {
      ByteBuffer kept = target.view();
      kept.putLong(0, number(level, eviction)).put(Long.BYTES, plain, 0, plainBytes);
    }

    @Override
    public void open(
        SealedBucket source, byte[] plain, int tree, int level, long eviction, int expectedEpoch) {
      ByteBuffer kept = source.view();
      long found = kept.getLong(0);
      if (found == 0 && asWritten) {
        for (int slot = 0; slot < descriptor().slots(); slot++) {
          PlainBucket.setEmpty(plain, slot);
        }
        return;
      }
      if (found != number(level, eviction)) {
        throw new IntegrityException(
            "bucket at tree "
                + tree
                + ", level "
                + level
                + ", eviction "
                + eviction
                + " without payload: found number "
                + Long.toHexString(found)
                + "; this is a bug of the ORAM, please report it");
      }
      kept.get(Long.BYTES, plain, 0, plainBytes);
    }

    /** Never 0, which stands in buckets that were never written. */
    private static long number(int level, long eviction) {
      return (level + 1L) << 48 | eviction;
    }
  }
}
