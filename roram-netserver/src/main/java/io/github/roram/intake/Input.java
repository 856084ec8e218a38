package io.github.roram.intake;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Deque;

/** Bytes received from a client and not yet processed. For use on the connection's event loop. */
public final class Input {

  private final Deque<ByteBuf> buffers = new ArrayDeque<>();

  /** Adds a buffer, which this object releases. */
  public void add(ByteBuf buffer) {
    buffers.add(buffer);
  }

  /** Returns whether all bytes have been consumed. */
  public boolean isEmpty() {
    trim();
    return buffers.isEmpty();
  }

  /** Moves the bytes available, at most {@code length}, to an array; returns how many. */
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

  /** Drops the bytes available, at most {@code length}; returns how many. */
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

  /** Releases all buffers. */
  public void release() {
    buffers.forEach(ByteBuf::release);
    buffers.clear();
  }

  /** A message part of known length, filled as its bytes arrive. */
  public static final class Piece {
    private final byte[] bytes;
    private int filled;

    /** Creates an empty part of {@code length} bytes. */
    public Piece(int length) {
      bytes = new byte[length];
    }

    /** Takes available bytes; returns whether the part is complete. */
    public boolean fill(Input in) {
      filled += in.read(bytes, filled, bytes.length - filled);
      return filled == bytes.length;
    }

    /** Returns the array that holds the part, complete or not. */
    public byte[] bytes() {
      return bytes;
    }

    /** Returns the number of bytes that have arrived. */
    public int filled() {
      return filled;
    }

    /** Makes the part empty again; it keeps its array. */
    public void clear() {
      filled = 0;
    }
  }
}
