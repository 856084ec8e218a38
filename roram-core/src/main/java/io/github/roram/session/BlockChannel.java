package io.github.roram.session;

import io.github.roram.Oram;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SeekableByteChannel;

/**
 * The byte view of an ORAM: {@link Oram#channel}. Safe for use by several threads, and several
 * views of one ORAM may write parts of the same block at once.
 *
 * <h2>Security</h2>
 *
 * Reading bytes and writing them makes the same accesses, wherever they begin and end.
 */
final class BlockChannel implements SeekableByteChannel {

  /** The most that is moved by one access, whatever ranges the ORAM allows. */
  private static final int MAX_BYTES = 1 << 30;

  private final OpenOram oram;
  private final int blockBytes;
  private final int rangeBytes;
  private final long bytes;
  private long position;
  private boolean closed;

  BlockChannel(OpenOram oram) {
    this.oram = oram;
    blockBytes = oram.config().blockBytes();
    rangeBytes = Math.min(oram.config().maxRangeBlocks(), MAX_BYTES / blockBytes) * blockBytes;
    bytes = oram.config().bytes();
  }

  @Override
  public synchronized int read(ByteBuffer target) throws IOException {
    checkOpen();
    if (position >= bytes && target.hasRemaining()) {
      return -1;
    }
    return transfer(target, oram::readSome);
  }

  @Override
  public synchronized int write(ByteBuffer source) throws IOException {
    checkOpen();
    if (source.remaining() > bytes - position) {
      throw new IndexOutOfBoundsException(
          "writing "
              + source.remaining()
              + " bytes at "
              + position
              + " exceeds the size of "
              + bytes
              + " bytes, which is fixed");
    }
    return transfer(source, oram::writeSome);
  }

  /** One access: moves bytes between the ORAM and where a buffer stands. */
  private interface Access {
    void move(long offset, int count, ByteBuffer buffer) throws IOException;
  }

  /**
   * Cuts a transfer into accesses, each of as many blocks as there may be. Where it is cut follows
   * from the position and the number of bytes alone.
   */
  private int transfer(ByteBuffer buffer, Access access) throws IOException {
    int total = 0;
    while (buffer.hasRemaining() && position < bytes) {
      int room = rangeBytes - (int) (position % blockBytes);
      int count = (int) Math.min(Math.min(buffer.remaining(), room), bytes - position);
      access.move(position, count, buffer);
      position += count;
      total += count;
    }
    return total;
  }

  @Override
  public synchronized long position() throws IOException {
    checkOpen();
    return position;
  }

  @Override
  public synchronized SeekableByteChannel position(long newPosition) throws IOException {
    checkOpen();
    if (newPosition < 0) {
      throw new IllegalArgumentException("position is " + newPosition + ", must not be negative");
    }
    position = newPosition;
    return this;
  }

  @Override
  public long size() {
    return bytes;
  }

  @Override
  public SeekableByteChannel truncate(long size) {
    throw new UnsupportedOperationException("the size of an ORAM is fixed at " + bytes + " bytes");
  }

  @Override
  public boolean isOpen() {
    return !closed;
  }

  @Override
  public synchronized void close() {
    closed = true;
  }

  private void checkOpen() throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }
}
