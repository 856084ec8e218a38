package io.github.roram.testkit;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import io.github.roram.store.WatermarkSlots;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A store in two files of a {@link SimulatedDisk}: every extent is a separate I/O. Closing it does
 * nothing.
 */
public final class DiskStore implements BlockStore {

  private final SimulatedDisk disk;
  private final SimulatedDisk.DiskFile file;
  private final WatermarkSlots watermark;
  private volatile boolean syncFailed;

  /**
   * Opens the store of a disk, or creates it.
   *
   * @param capacityBytes size in bytes of a new store
   */
  public DiskStore(SimulatedDisk disk, long capacityBytes) throws IOException {
    this(disk, "store", capacityBytes);
  }

  /** Opens one of several stores of a disk, by its name; each is synced separately. */
  public DiskStore(SimulatedDisk disk, String name, long capacityBytes) throws IOException {
    this.disk = disk;
    this.file = disk.open(name, Math.toIntExact(capacityBytes));
    SimulatedDisk.DiskFile slots = disk.open(name + "-watermark", WatermarkSlots.BYTES);
    watermark =
        new WatermarkSlots(
            disk.read(slots, 0, WatermarkSlots.BYTES),
            new WatermarkSlots.Medium() {
              @Override
              public void write(int offset, byte[] bytes) throws IOException {
                disk.write(slots, offset, bytes);
              }

              @Override
              public void force() throws IOException {
                disk.sync(slots);
              }
            });
  }

  @Override
  public void keepWatermark(byte[] newest, boolean durably) throws IOException {
    watermark.keep(newest, durably);
  }

  @Override
  public List<byte[]> watermarks() {
    return watermark.all();
  }

  @Override
  public boolean showsReads() {
    return false;
  }

  @Override
  public long capacityBytes() {
    return file.bytes();
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    batch.checkWithin(capacityBytes());
    for (int i = 0; i < batch.extents(); i++) {
      byte[] bytes = disk.read(file, batch.offset(i), (int) batch.bytes(i));
      sink.accept(batch.firstUnit(i), ByteBuffer.wrap(bytes));
    }
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    batch.checkWithin(capacityBytes());
    for (int i = 0; i < batch.extents(); i++) {
      byte[] bytes = new byte[(int) batch.bytes(i)];
      source.fill(batch.firstUnit(i), ByteBuffer.wrap(bytes));
      disk.write(file, batch.offset(i), bytes);
    }
  }

  /** Syncs; after one failure always fails, since earlier writes may be lost. */
  @Override
  public void sync() throws IOException {
    if (syncFailed) {
      throw new IOException("injected: an earlier sync failed");
    }
    boolean done = false;
    try {
      disk.sync(file);
      done = true;
    } finally {
      // Not before it is known: another thread may sync meanwhile.
      syncFailed |= !done;
    }
  }

  /** Returns whether a sync failed, so that the store must be reopened. */
  public boolean syncFailed() {
    return syncFailed;
  }

  @Override
  public void close() {}
}
