package io.github.roram.paging;

import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.util.Objects;

/**
 * A part of a memory, as a {@link java.nio.ByteBuffer} is a part of an array, accessed by offset
 * from its start, or one value after another from its position on. Several views may show the same
 * bytes.
 *
 * <p>Access by offset is as safe for several threads as the memory's own; the position belongs to
 * one thread.
 */
public final class MemoryView implements Memory {

  private final Memory memory;
  private final long start;
  private final long bytes;
  private long position;

  MemoryView(Memory memory, long start, long bytes) {
    Objects.checkFromIndexSize(start, bytes, memory.bytes());
    this.memory = memory;
    this.start = start;
    this.bytes = bytes;
  }

  private long place(long offset, long count) {
    return start + Objects.checkFromIndexSize(offset, count, bytes);
  }

  private static long length(int count, int valueBytes) {
    return (long) count * valueBytes;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  /** Returns where the next relative access begins, 0 … {@link #bytes}. */
  public long position() {
    return position;
  }

  /**
   * Moves the position.
   *
   * @throws IndexOutOfBoundsException unless it is 0 … {@link #bytes}
   */
  public MemoryView position(long newPosition) {
    position = Objects.checkFromToIndex(newPosition, bytes, bytes);
    return this;
  }

  /** Returns the number of bytes from the position to the end. */
  public long remaining() {
    return bytes - position;
  }

  /** Returns the byte at the position, and advances the position. */
  public byte getByte() {
    return getByte(taken(Byte.BYTES));
  }

  /** Returns the int at the position, and advances the position. */
  public int getInt() {
    return getInt(taken(Integer.BYTES));
  }

  /** Returns the long at the position, and advances the position. */
  public long getLong() {
    return getLong(taken(Long.BYTES));
  }

  /** Returns the double at the position, and advances the position. */
  public double getDouble() {
    return getDouble(taken(Double.BYTES));
  }

  /** Sets the byte at the position, and advances the position. */
  public MemoryView putByte(byte value) {
    putByte(given(Byte.BYTES), value);
    return this;
  }

  /** Sets the int at the position, and advances the position. */
  public MemoryView putInt(int value) {
    putInt(given(Integer.BYTES), value);
    return this;
  }

  /** Sets the long at the position, and advances the position. */
  public MemoryView putLong(long value) {
    putLong(given(Long.BYTES), value);
    return this;
  }

  /** Sets the double at the position, and advances the position. */
  public MemoryView putDouble(double value) {
    putDouble(given(Double.BYTES), value);
    return this;
  }

  private long taken(int count) {
    if (remaining() < count) {
      throw new BufferUnderflowException();
    }
    position += count;
    return position - count;
  }

  private long given(int count) {
    if (remaining() < count) {
      throw new BufferOverflowException();
    }
    position += count;
    return position - count;
  }

  @Override
  public byte getByte(long offset) {
    return memory.getByte(place(offset, Byte.BYTES));
  }

  @Override
  public void putByte(long offset, byte value) {
    memory.putByte(place(offset, Byte.BYTES), value);
  }

  @Override
  public int getInt(long offset) {
    return memory.getInt(place(offset, Integer.BYTES));
  }

  @Override
  public void putInt(long offset, int value) {
    memory.putInt(place(offset, Integer.BYTES), value);
  }

  @Override
  public long getLong(long offset) {
    return memory.getLong(place(offset, Long.BYTES));
  }

  @Override
  public void putLong(long offset, long value) {
    memory.putLong(place(offset, Long.BYTES), value);
  }

  @Override
  public void get(long offset, byte[] target, int at, int count) {
    memory.get(place(offset, count), target, at, count);
  }

  @Override
  public void put(long offset, byte[] source, int at, int count) {
    memory.put(place(offset, count), source, at, count);
  }

  @Override
  public void getInts(long offset, int[] target, int at, int count) {
    memory.getInts(place(offset, length(count, Integer.BYTES)), target, at, count);
  }

  @Override
  public void putInts(long offset, int[] source, int at, int count) {
    memory.putInts(place(offset, length(count, Integer.BYTES)), source, at, count);
  }

  @Override
  public void getLongs(long offset, long[] target, int at, int count) {
    memory.getLongs(place(offset, length(count, Long.BYTES)), target, at, count);
  }

  @Override
  public void putLongs(long offset, long[] source, int at, int count) {
    memory.putLongs(place(offset, length(count, Long.BYTES)), source, at, count);
  }

  @Override
  public void getDoubles(long offset, double[] target, int at, int count) {
    memory.getDoubles(place(offset, length(count, Double.BYTES)), target, at, count);
  }

  @Override
  public void putDoubles(long offset, double[] source, int at, int count) {
    memory.putDoubles(place(offset, length(count, Double.BYTES)), source, at, count);
  }
}
