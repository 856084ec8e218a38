package io.github.roram.nbd;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Deque;

/** Bytes that came from a client and were not looked at. For the connection's event loop. */
final class Input {

  private final Deque<ByteBuf> buffers = new ArrayDeque<>();

  /** Takes a buffer over. */
  void add(ByteBuf buffer) {
    buffers.add(buffer);
  }

  boolean isEmpty() {
    trim();
    return buffers.isEmpty();
  }

  /** Moves as many bytes as there are, at most {@code length}; returns how many. */
  int read(byte[] target, int offset, int length) {
    int done = 0;
    while (done < length && !isEmpty()) {
      ByteBuf first = buffers.element();
      int count = Math.min(length - done, first.readableBytes());
      first.readBytes(target, offset + done, count);
      done += count;
    }
    return done;
  }

  /** Drops bytes, at most {@code length}; returns how many. */
  long skip(long length) {
    long done = 0;
    while (done < length && !isEmpty()) {
      ByteBuf first = buffers.element();
      int count = (int) Math.min(length - done, first.readableBytes());
      first.skipBytes(count);
      done += count;
    }
    return done;
  }

  private void trim() {
    while (!buffers.isEmpty() && !buffers.element().isReadable()) {
      buffers.remove().release();
    }
  }

  void release() {
    buffers.forEach(ByteBuf::release);
    buffers.clear();
  }

  /** Bytes of known length that are arriving. */
  static final class Piece {
    private final byte[] bytes;
    private int filled;

    Piece(int length) {
      bytes = new byte[length];
    }

    /** Takes what there is; whether it is complete. */
    boolean fill(Input in) {
      filled += in.read(bytes, filled, bytes.length - filled);
      return filled == bytes.length;
    }

    byte[] bytes() {
      return bytes;
    }

    int filled() {
      return filled;
    }

    /** Begins anew, over the same memory. */
    void clear() {
      filled = 0;
    }
  }
}
