package io.github.roram.pattern;

import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A store in memory that keeps the first few bytes of every bucket and forgets the others. Not
 * thread safe.
 */
final class PatternStore implements BlockStore {

  private static final int PAGE_UNITS = 1 << 14;

  private final long capacityBytes;

  /** What is kept of the buckets of each length. */
  private final Map<Integer, Kept> byUnitBytes = new HashMap<>();

  /** Buckets of one length, by how many of them would fit before each. */
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
     * Number of the bucket at an offset. Levels of one length may be apart by any number of bytes;
     * two buckets never share a number, since they never share a byte.
     */
    private long unitAt(long offset) {
      return offset / unit.capacity();
    }

    /** What is kept of a bucket; zeros if it was never written. */
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

  /** A store that keeps nothing until it is told {@linkplain #keep what}. */
  PatternStore(long capacityBytes) {
    this.capacityBytes = capacityBytes;
  }

  /**
   * Keeps what means something of buckets of this layout, from now on.
   *
   * @param descriptor no other layout has buckets of the same length
   */
  void keep(BucketDescriptor descriptor) {
    Kept kept = new Kept(descriptor, capacityBytes);
    if (byUnitBytes.putIfAbsent(descriptor.sealedBytes(), kept) != null) {
      throw new IllegalStateException(
          "the store keeps buckets of " + descriptor.sealedBytes() + " bytes of one layout only");
    }
  }

  @Override
  public long capacityBytes() {
    return capacityBytes;
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws java.io.IOException {
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
  public void write(ExtentBatch batch, UnitSource source) throws java.io.IOException {
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
}
