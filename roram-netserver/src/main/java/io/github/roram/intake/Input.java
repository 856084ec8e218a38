package io.github.roram.intake;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Deque;

/** Bytes that came from a client and were not looked at. For the connection's event loop. */
public final class Input {

  private final Deque<ByteBuf> buffers = new ArrayDeque<>();

  /** Takes a buffer over. */
  public void add(ByteBuf buffer) {
    buffers.add(buffer);
  }

  /** Whether nothing is left. */
  public boolean isEmpty() {
    trim();
    return buffers.isEmpty();
  }

  /** Moves as many bytes as there are, at most {@code length}; returns how many. */
  public int read(byte[] target, int offset, int length) {
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
  public long skip(long length) {
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

  /** Frees what is left. */
  public void release() {
    buffers.forEach(ByteBuf::release);
    buffers.clear();
  }

  /** Bytes of known length that are arriving. */
  public static final class Piece {
    private final byte[] bytes;
    private int filled;

    /** Room for so many bytes. */
    public Piece(int length) {
      bytes = new byte[length];
    }

    /** Takes what there is; whether it is complete. */
    public boolean fill(Input in) {
      filled += in.read(bytes, filled, bytes.length - filled);
      return filled == bytes.length;
    }

    /** All of them, whether they have come or not. */
    public byte[] bytes() {
      return bytes;
    }

    /** How many have come. */
    public int filled() {
      return filled;
    }

    /** Begins anew, over the same memory. */
    public void clear() {
      filled = 0;
    }
  }
}
