package io.github.roram.storage.file;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;

/**
 * Off-heap buffers for transfers, kept for the next call. As many are made as there are calls at
 * the same time; a few are kept.
 *
 * <p>Thread safety: safe.
 */
final class BufferPool {

  private static final int MAX_KEPT = 8;

  private final Alignment alignment;
  private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>(MAX_KEPT);

  /** A pool of buffers whose addresses are multiples of a block. */
  BufferPool(Alignment alignment) {
    this.alignment = alignment;
  }

  /** A buffer of at least {@code bytes} bytes, to be given back. */
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

  /** A new buffer of at least {@code bytes} bytes, aligned. */
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
