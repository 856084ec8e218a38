package io.github.roram.paging;

import java.io.UncheckedIOException;

/**
 * Bytes by address, read and written as bytes, ints, longs and doubles. Values are little-endian
 * and need not be aligned. Memory that was never written is zero.
 *
 * <p>Every access may fail with
 *
 * <ul>
 *   <li>{@link IndexOutOfBoundsException} if some of its bytes do not exist; nothing is changed
 *   <li>{@link UncheckedIOException} if the medium of the memory failed; the access may be
 *       repeated. A failed write may have written its first bytes
 *   <li>{@link io.github.roram.IntegrityException} if the medium returned anything but what was
 *       last written
 *   <li>{@link IllegalStateException} if the memory was closed
 * </ul>
 */
public interface Memory {

  /** Returns the size in bytes. */
  long bytes();

  /** Returns the byte at {@code offset}. */
  byte getByte(long offset);

  /** Sets the byte at {@code offset}. */
  void putByte(long offset, byte value);

  /** Returns the four bytes from {@code offset} on. */
  int getInt(long offset);

  /** Sets the four bytes from {@code offset} on. */
  void putInt(long offset, int value);

  /** Returns the eight bytes from {@code offset} on. */
  long getLong(long offset);

  /** Sets the eight bytes from {@code offset} on. */
  void putLong(long offset, long value);

  /** Returns the eight bytes from {@code offset} on. */
  default double getDouble(long offset) {
    return Double.longBitsToDouble(getLong(offset));
  }

  /** Sets the eight bytes from {@code offset} on. */
  default void putDouble(long offset, double value) {
    putLong(offset, Double.doubleToRawLongBits(value));
  }

  /** Copies {@code count} bytes from {@code offset} on to {@code target}, from {@code at} on. */
  void get(long offset, byte[] target, int at, int count);

  /** Copies {@code count} bytes of {@code source}, from {@code at} on, to {@code offset}. */
  void put(long offset, byte[] source, int at, int count);

  /** Copies {@code count} ints from {@code offset} on to {@code target}, from {@code at} on. */
  default void getInts(long offset, int[] target, int at, int count) {
    for (int i = 0; i < count; i++) {
      target[at + i] = getInt(offset + (long) i * Integer.BYTES);
    }
  }

  /** Copies {@code count} ints of {@code source}, from {@code at} on, to {@code offset}. */
  default void putInts(long offset, int[] source, int at, int count) {
    for (int i = 0; i < count; i++) {
      putInt(offset + (long) i * Integer.BYTES, source[at + i]);
    }
  }

  /** Copies {@code count} longs from {@code offset} on to {@code target}, from {@code at} on. */
  default void getLongs(long offset, long[] target, int at, int count) {
    for (int i = 0; i < count; i++) {
      target[at + i] = getLong(offset + (long) i * Long.BYTES);
    }
  }

  /** Copies {@code count} longs of {@code source}, from {@code at} on, to {@code offset}. */
  default void putLongs(long offset, long[] source, int at, int count) {
    for (int i = 0; i < count; i++) {
      putLong(offset + (long) i * Long.BYTES, source[at + i]);
    }
  }

  /** Copies {@code count} doubles from {@code offset} on to {@code target}, from {@code at} on. */
  default void getDoubles(long offset, double[] target, int at, int count) {
    for (int i = 0; i < count; i++) {
      target[at + i] = getDouble(offset + (long) i * Double.BYTES);
    }
  }

  /** Copies {@code count} doubles of {@code source}, from {@code at} on, to {@code offset}. */
  default void putDoubles(long offset, double[] source, int at, int count) {
    for (int i = 0; i < count; i++) {
      putDouble(offset + (long) i * Double.BYTES, source[at + i]);
    }
  }

  /**
   * Returns a view of the {@code count} bytes from {@code offset} on, as memory that starts at 0.
   *
   * @throws IndexOutOfBoundsException if some of them do not exist
   */
  default MemoryView slice(long offset, long count) {
    return new MemoryView(this, offset, count);
  }
}
