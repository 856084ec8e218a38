package io.github.roram.pattern;

import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.state.SuperblockDescriptor;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.nio.ByteBuffer;

/**
 * A store in memory that keeps the first few bytes of every bucket and forgets the others. Not
 * thread safe.
 */
final class PatternStore implements BlockStore {

  private static final int PAGE_UNITS = 1 << 14;

  private final long capacityBytes;
  private int unitBytes;
  private int keptBytes;
  private byte[][] pages = {};
  private ByteBuffer unit = ByteBuffer.allocate(0);

  /** A store that keeps nothing until it is told {@linkplain #keep what}. */
  PatternStore(long capacityBytes) {
    this.capacityBytes = capacityBytes;
  }

  /**
   * Keeps what means something of buckets of this layout, from now on.
   *
   * @param descriptor all buckets stand at multiples of their length after the superblock
   */
  void keep(BucketDescriptor descriptor) {
    if (unitBytes != 0) {
      throw new IllegalStateException("the store keeps buckets of one layout only");
    }
    unitBytes = descriptor.sealedBytes();
    keptBytes = descriptor.keptBytes();
    long units = (capacityBytes - SuperblockDescriptor.BYTES) / unitBytes;
    pages = new byte[Math.toIntExact((units + PAGE_UNITS - 1) / PAGE_UNITS)][];
    unit = ByteBuffer.allocate(unitBytes);
  }

  @Override
  public long capacityBytes() {
    return capacityBytes;
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws java.io.IOException {
    check(batch);
    for (int extent = 0; extent < batch.extents(); extent++) {
      long first = unitAt(batch.offset(extent));
      for (int i = 0; i < batch.units(extent); i++) {
        System.arraycopy(page(first + i), place(first + i), unit.array(), 0, keptBytes);
        sink.accept(batch.firstUnit(extent) + i, unit.clear());
      }
    }
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws java.io.IOException {
    check(batch);
    for (int extent = 0; extent < batch.extents(); extent++) {
      long first = unitAt(batch.offset(extent));
      for (int i = 0; i < batch.units(extent); i++) {
        source.fill(batch.firstUnit(extent) + i, unit.clear());
        System.arraycopy(unit.array(), 0, page(first + i), place(first + i), keptBytes);
      }
    }
  }

  private void check(ExtentBatch batch) {
    batch.checkWithin(capacityBytes);
    if (batch.unitBytes() != unitBytes) {
      throw new IllegalArgumentException(
          "the batch has units of "
              + batch.unitBytes()
              + " bytes; a store without payload keeps buckets of "
              + unitBytes
              + " bytes only");
    }
  }

  private long unitAt(long offset) {
    long bytes = offset - SuperblockDescriptor.BYTES;
    if (bytes < 0 || bytes % unitBytes != 0) {
      throw new IllegalArgumentException(
          "offset " + offset + " is not that of a bucket; a store without payload keeps no other");
    }
    return bytes / unitBytes;
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

  @Override
  public void sync() {}

  @Override
  public void close() {}

  @Override
  public String toString() {
    return "addresses and labels in memory";
  }
}
