package io.github.roram.bench.paging.program;

import io.github.roram.paging.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Memory that is an array: what programs compute on it is what they must compute elsewhere. */
public final class PlainMemory implements Memory {

  private final ByteBuffer bytes;

  /** Zeros. */
  public PlainMemory(long bytes) {
    this.bytes = ByteBuffer.allocate(Math.toIntExact(bytes)).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public long bytes() {
    return bytes.capacity();
  }

  @Override
  public byte getByte(long offset) {
    return bytes.get(Math.toIntExact(offset));
  }

  @Override
  public void putByte(long offset, byte value) {
    bytes.put(Math.toIntExact(offset), value);
  }

  @Override
  public int getInt(long offset) {
    return bytes.getInt(Math.toIntExact(offset));
  }

  @Override
  public void putInt(long offset, int value) {
    bytes.putInt(Math.toIntExact(offset), value);
  }

  @Override
  public long getLong(long offset) {
    return bytes.getLong(Math.toIntExact(offset));
  }

  @Override
  public void putLong(long offset, long value) {
    bytes.putLong(Math.toIntExact(offset), value);
  }

  @Override
  public void get(long offset, byte[] target, int at, int count) {
    bytes.get(Math.toIntExact(offset), target, at, count);
  }

  @Override
  public void put(long offset, byte[] source, int at, int count) {
    bytes.put(Math.toIntExact(offset), source, at, count);
  }
}
