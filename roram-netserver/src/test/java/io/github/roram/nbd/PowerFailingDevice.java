package io.github.roram.nbd;

import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.testkit.DiskStore;
import io.github.roram.testkit.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** A device on a disk that loses power; requests fail then. */
final class PowerFailingDevice implements BlockDevice {

  /** A request to the disk. */
  @FunctionalInterface
  private interface NbdRequest {
    void send() throws IOException;
  }

  private final SimulatedDisk disk;
  private final DiskStore store;
  private final Runnable atFailure;

  /**
   * A device on what a disk holds, or on zeros.
   *
   * @param atFailure is run by each request that fails for want of power
   */
  PowerFailingDevice(SimulatedDisk disk, long bytes, Runnable atFailure) throws IOException {
    this.disk = disk;
    this.atFailure = atFailure;
    store = new DiskStore(disk, bytes);
  }

  private CompletableFuture<Void> answer(NbdRequest request) {
    try {
      request.send();
      return CompletableFuture.completedFuture(null);
    } catch (IOException e) {
      if (disk.crashed()) {
        atFailure.run();
      }
      return CompletableFuture.failedFuture(e);
    }
  }

  private static ExtentBatch extent(IoPhase phase, long offset, int bytes) {
    ExtentBatch extent = new ExtentBatch().reset(phase, ExtentBatch.NO_TREE, 1);
    extent.add(offset, bytes);
    return extent;
  }

  @Override
  public long bytes() {
    return store.capacityBytes();
  }

  @Override
  public int blockBytes() {
    return 4096;
  }

  @Override
  public int longestBytes() {
    return 1 << 20;
  }

  @Override
  public CompletableFuture<Void> read(long offset, ByteBuffer target) {
    ByteBuffer to = target.duplicate();
    return answer(
        () -> store.read(extent(IoPhase.READ, offset, to.remaining()), (i, data) -> to.put(data)));
  }

  @Override
  public CompletableFuture<Void> write(long offset, ByteBuffer source, boolean durable) {
    ByteBuffer from = source.duplicate();
    return answer(
        () -> {
          store.write(
              extent(IoPhase.EVICT_WRITE, offset, from.remaining()), (i, data) -> data.put(from));
          if (durable) {
            store.sync();
          }
        });
  }

  @Override
  public boolean trims() {
    return false;
  }

  @Override
  public CompletableFuture<Void> zero(long offset, long length, boolean durable) {
    return write(offset, ByteBuffer.allocate(Math.toIntExact(length)), durable);
  }

  @Override
  public CompletableFuture<Void> trim(long offset, long length, boolean durable) {
    return durable ? flush() : CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletableFuture<Void> flush() {
    return answer(store::sync);
  }

  @Override
  public void close() {}
}
