package io.github.roram.storage.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;

/**
 * The blocks of a medium that is read and written in whole blocks only.
 *
 * @param bytes in a block, a power of two; 1 where there are none
 */
record Alignment(int bytes) {

  /** Returns whether any byte can be read and written on its own. */
  boolean isNone() {
    return bytes == 1;
  }

  /** Bytes between the start of the block and {@code offset}. */
  int lead(long offset) {
    return (int) (offset & (bytes - 1));
  }

  /**
   * Returns the length of the blocks that the first {@code length} bytes from the start of a block
   * touch.
   */
  int roundUp(int length) {
    return Math.addExact(length, bytes - 1) & -bytes;
  }

  /** Returns the length of the whole blocks in {@code length} bytes from the start of a block. */
  int down(int length) {
    return length & -bytes;
  }

  /**
   * Reads bytes with the blocks around them, and leaves the buffer at the bytes.
   *
   * @param buffer with {@link #room} for them, at an address that is a multiple of a block
   */
  void read(SegmentFiles files, ByteBuffer buffer, long offset, int length) throws IOException {
    int lead = lead(offset);
    files.read(buffer.clear().limit(roundUp(lead + length)), offset - lead);
    buffer.limit(lead + length).position(lead);
  }

  /** Returns the room for {@code length} bytes and the rest of the blocks at both ends. */
  int room(int length) {
    return Math.addExact(length, 2 * (bytes - 1));
  }

  /**
   * Off-heap buffers for transfers, kept for the next call. As many are made as there are calls at
   * the same time; a few are kept.
   *
   * <p>Thread safety: safe.
   */
  static final class BufferPool {

    private static final int MAX_KEPT = 8;

    private final Alignment alignment;
    private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>(MAX_KEPT);

    /** Creates a pool of buffers that start at multiples of a block. */
    BufferPool(Alignment alignment) {
      this.alignment = alignment;
    }

    /** Takes a buffer of at least {@code bytes} bytes, to be given back. */
    ByteBuffer take(int bytes) {
      ByteBuffer kept;
      synchronized (free) {
        kept = free.pollLast();
      }
      if (kept != null && kept.capacity() >= bytes) {
        return kept.order(ByteOrder.BIG_ENDIAN);
      }
      return allocate(alignment, bytes);
    }

    /** Allocates an aligned buffer of at least {@code bytes} bytes. */
    static ByteBuffer allocate(Alignment alignment, int bytes) {
      int whole = alignment.roundUp(bytes);
      return ByteBuffer.allocateDirect(Math.addExact(whole, alignment.bytes() - 1))
          .alignedSlice(alignment.bytes());
    }

    /** Takes a buffer back. */
    void give(ByteBuffer buffer) {
      synchronized (free) {
        if (free.size() < MAX_KEPT) {
          free.addLast(buffer);
        }
      }
    }

    /** Drops the buffers kept. */
    void clear() {
      synchronized (free) {
        free.clear();
      }
    }
  }
}
