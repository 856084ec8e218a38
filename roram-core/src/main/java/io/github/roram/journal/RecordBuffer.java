package io.github.roram.journal;

import io.github.roram.checkpoint.Padding;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** The plaintext of one record, while it is written. Not thread safe. */
final class RecordBuffer {

  /** Bytes of memory of a buffer in which no record was written. */
  static final int FIRST_BYTES = 1 << 10;

  private final Bytes bytes = new Bytes();
  private final DataOutputStream out = new DataOutputStream(bytes);

  /** Grows by an eighth, where a stream of the JDK would double its array: records can be long. */
  private static final class Bytes extends OutputStream {
    private byte[] array = new byte[FIRST_BYTES];
    private int size;

    @Override
    public void write(int b) {
      reserve(1);
      array[size++] = (byte) b;
    }

    @Override
    public void write(byte[] bytes, int offset, int count) {
      reserve(count);
      System.arraycopy(bytes, offset, array, size, count);
      size += count;
    }

    private void reserve(int count) {
      if (count > array.length - size) {
        take(capacity((long) size + count));
      }
    }

    private void take(long length) {
      if (length > array.length) {
        array = Arrays.copyOf(array, Math.toIntExact(length));
      }
    }
  }

  /** Returns the most memory in bytes that a record of {@code bytes} bytes takes. */
  static long capacity(long bytes) {
    return bytes + bytes / 8;
  }

  /** Begins a record of a kind. */
  DataOutputStream begin(byte kind) throws IOException {
    bytes.size = 0;
    out.writeByte(kind);
    return out;
  }

  /**
   * Pads the record to a multiple of a length that follows from public parameters: the numbers of
   * blocks that came, were written or left must not show, least of all where the journal lies next
   * to the store.
   */
  void pad(long unitBytes) throws IOException {
    out.flush();
    bytes.take(Padding.length(bytes.size, unitBytes));
    Padding.write(out, bytes.size, unitBytes);
  }

  /** Returns the array whose first bytes are the record. */
  byte[] array() throws IOException {
    out.flush();
    return bytes.array;
  }

  /** Returns the length of the record in bytes; valid after {@link #array} was called. */
  int size() {
    return bytes.size;
  }

  /** Returns the bytes of memory that the buffer takes now. */
  long heldBytes() {
    return bytes.array.length;
  }

  void wipe() {
    Arrays.fill(bytes.array, (byte) 0);
  }
}
