package io.github.roram;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The simplest store: one array. */
public class HeapStore implements BlockStore {

  private byte[] bytes;

  /** A store of zeros. */
  public HeapStore(long capacityBytes) {
    bytes = new byte[Math.toIntExact(capacityBytes)];
  }

  @Override
  public long capacityBytes() {
    return bytes.length;
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    batch.checkWithin(bytes.length);
    for (int i = 0; i < batch.extents(); i++) {
      ByteBuffer units = ByteBuffer.wrap(bytes, (int) batch.offset(i), (int) batch.bytes(i));
      sink.accept(batch.firstUnit(i), units.slice().asReadOnlyBuffer());
    }
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    batch.checkWithin(bytes.length);
    for (int i = 0; i < batch.extents(); i++) {
      ByteBuffer units = ByteBuffer.wrap(bytes, (int) batch.offset(i), (int) batch.bytes(i));
      source.fill(batch.firstUnit(i), units.slice());
    }
  }

  @Override
  public boolean extend(long capacityBytes) {
    bytes = Arrays.copyOf(bytes, Math.toIntExact(capacityBytes));
    return true;
  }

  @Override
  public void sync() {}

  @Override
  public void close() {}

  /** All that the server holds. */
  public final byte[] copy() {
    return bytes.clone();
  }

  /** Puts a copy back. */
  public final void restore(byte[] copy) {
    System.arraycopy(copy, 0, bytes, 0, bytes.length);
  }

  /** Flips a bit. */
  public final void flip(int offset) {
    bytes[offset] ^= 1;
  }

  /** What the server holds from an offset on. */
  public ByteBuffer contents(int offset) {
    return ByteBuffer.wrap(bytes).position(offset).slice().asReadOnlyBuffer();
  }
}
