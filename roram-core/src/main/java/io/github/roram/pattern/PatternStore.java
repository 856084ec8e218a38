package io.github.roram.pattern;

import io.github.roram.IntegrityException;
import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.bucket.SealedBucket;
import io.github.roram.cipher.BucketKeys;
import io.github.roram.cipher.Nonces;
import io.github.roram.engine.Payload;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * A store in memory that keeps the first few bytes of every bucket and forgets the rest. As the
 * {@link Payload} of its ORAM, it also leaves blocks without data at the client, while buckets are
 * as long on the store as if they had data. So only the access pattern counts. It is for
 * experiments, and not reachable from outside. Not thread safe.
 */
final class PatternStore implements BlockStore, Payload {

  private static final int PAGE_UNITS = 1 << 14;

  private final long capacityBytes;
  private final boolean asWritten;

  /** The kept parts of buckets, by the buckets' length. */
  private final Map<Integer, Kept> byUnitBytes = new HashMap<>();

  /**
   * The kept parts of the buckets of one length, each numbered by how many such buckets would fit
   * before it.
   */
  private static final class Kept {
    private final int keptBytes;
    private final byte[][] pages;
    private final ByteBuffer unit;

    Kept(BucketDescriptor descriptor, long capacityBytes) {
      keptBytes = descriptor.keptBytes();
      long units = capacityBytes / descriptor.sealedBytes() + 1;
      pages = new byte[Math.toIntExact((units + PAGE_UNITS - 1) / PAGE_UNITS)][];
      unit = ByteBuffer.allocate(descriptor.sealedBytes());
    }

    /**
     * Returns the number of the bucket at an offset. Levels of one length may be apart by any
     * number of bytes; two buckets never share a number, since they never share a byte.
     */
    private long unitAt(long offset) {
      return offset / unit.capacity();
    }

    /** Loads the kept part of a bucket; zeros if it was never written. */
    private void load(long number) {
      byte[] page = pages[(int) (number / PAGE_UNITS)];
      if (page == null) {
        Arrays.fill(unit.array(), 0, keptBytes, (byte) 0);
      } else {
        System.arraycopy(page, place(number), unit.array(), 0, keptBytes);
      }
    }

    private byte[] page(long number) {
      int index = (int) (number / PAGE_UNITS);
      byte[] page = pages[index];
      if (page == null) {
        page = new byte[PAGE_UNITS * keptBytes];
        pages[index] = page;
      }
      return page;
    }

    private int place(long number) {
      return (int) (number % PAGE_UNITS) * keptBytes;
    }
  }

  /**
   * Creates a store without buckets.
   *
   * @param asWritten whether buckets that were never written count as empty ones
   */
  PatternStore(long capacityBytes, boolean asWritten) {
    this.capacityBytes = capacityBytes;
    this.asWritten = asWritten;
  }

  /** Returns whether buckets that were never written count as empty ones. */
  boolean isAsWritten() {
    return asWritten;
  }

  /** Keeps the meaningful part of buckets of this layout from now on. */
  @Override
  public BucketCodec codec(BucketDescriptor descriptor, BucketKeys keys, UUID storeId) {
    BucketDescriptor kept = descriptor.withoutPayload();
    if (byUnitBytes.putIfAbsent(kept.sealedBytes(), new Kept(kept, capacityBytes)) != null) {
      throw new IllegalStateException(
          "the store keeps buckets of " + kept.sealedBytes() + " bytes of one layout only");
    }
    return new Codec(kept, keys, storeId, asWritten);
  }

  @Override
  public int heldBytes(int blockBytes) {
    return 0;
  }

  @Override
  public long capacityBytes() {
    return capacityBytes;
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    Kept kept = kept(batch);
    for (int extent = 0; extent < batch.extents(); extent++) {
      long first = kept.unitAt(batch.offset(extent));
      for (int i = 0; i < batch.units(extent); i++) {
        kept.load(first + i);
        sink.accept(batch.firstUnit(extent) + i, kept.unit.clear());
      }
    }
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    Kept kept = kept(batch);
    for (int extent = 0; extent < batch.extents(); extent++) {
      long first = kept.unitAt(batch.offset(extent));
      for (int i = 0; i < batch.units(extent); i++) {
        source.fill(batch.firstUnit(extent) + i, kept.unit.clear());
        byte[] unit = kept.unit.array();
        System.arraycopy(unit, 0, kept.page(first + i), kept.place(first + i), kept.keptBytes);
      }
    }
  }

  private Kept kept(ExtentBatch batch) {
    batch.checkWithin(capacityBytes);
    Kept kept = byUnitBytes.get(batch.unitBytes());
    if (kept == null) {
      throw new IllegalArgumentException(
          "the batch has units of "
              + batch.unitBytes()
              + " bytes; a store without payload keeps buckets of "
              + byUnitBytes.keySet()
              + " bytes only");
    }
    return kept;
  }

  @Override
  public void sync() {}

  @Override
  public void close() {}

  @Override
  public String toString() {
    return "addresses and labels in memory";
  }

  /**
   * Stands in for {@link BucketCodec} where only the access pattern counts: writes the number of
   * the eviction and the plain addresses, labels and links, and skips the rest of the bucket.
   *
   * <h2>Security</h2>
   *
   * None: nothing is encrypted or authenticated, and no data is kept. The number exposes a bucket
   * in the wrong place, as a check of the ORAM itself. Reachable through {@link PatternOram} only.
   */
  private static final class Codec extends BucketCodec {

    private final BucketKeys keys;
    private final UUID storeId;
    private final int plainBytes;
    private final boolean asWritten;

    /**
     * Creates a codec for buckets without payload.
     *
     * @param keys keys of which only the epoch is used
     * @param asWritten whether a bucket that was never written counts as an empty one
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

    /** Returns a number other than 0, which stands for buckets that were never written. */
    private static long number(int level, long eviction) {
      return (level + 1L) << 48 | eviction;
    }
  }
}
