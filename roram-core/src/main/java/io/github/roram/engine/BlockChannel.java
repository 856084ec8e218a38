package io.github.roram.engine;

import io.github.roram.OramConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SeekableByteChannel;

/**
 * The byte view of an ORAM: {@link io.github.roram.Oram#channel}. Safe for use by several threads,
 * and several views of one ORAM may write parts of the same block at once.
 *
 * <h2>Security</h2>
 *
 * Reading and writing bytes make the same accesses, wherever they begin and end.
 */
public final class BlockChannel implements SeekableByteChannel {

  /** Most bytes that one access moves, whatever ranges the ORAM allows. */
  public static final int MAX_BYTES = 1 << 30;

  private final Accesses accesses;
  private final int blockBytes;
  private final int rangeBytes;
  private final long bytes;
  private long position;
  private boolean closed;

  /** Makes the accesses of a channel. */
  public interface Accesses {

    /**
     * Makes one access that fills a piece; the access may end later.
     *
     * @param piece a separate view of part of the buffer
     */
    void read(long offset, ByteBuffer piece) throws IOException;

    /** Makes one access that writes all of a piece; the access may end later. */
    void write(long offset, ByteBuffer piece) throws IOException;

    /**
     * Waits for the accesses that have begun.
     *
     * @throws IOException if one failed: then none of them counts as made
     */
    default void await() throws IOException {}
  }

  /**
   * Creates a view.
   *
   * @param config configuration of the ORAM
   * @param mostBytes most bytes of one access, at least a block
   * @param accesses makes the accesses, each of at most the ORAM's longest range
   */
  public BlockChannel(OramConfig config, int mostBytes, Accesses accesses) {
    this.accesses = accesses;
    blockBytes = config.blockBytes();
    rangeBytes = Math.min(config.maxRangeBlocks(), mostBytes / blockBytes) * blockBytes;
    bytes = config.bytes();
  }

  @Override
  public synchronized int read(ByteBuffer target) throws IOException {
    checkOpen();
    if (target.isReadOnly()) {
      throw new IllegalArgumentException("the target is read-only"); // before an access is begun
    }
    if (position >= bytes && target.hasRemaining()) {
      return -1;
    }
    return transfer(target, accesses::read);
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
    return transfer(source, accesses::write);
  }

  /** One access: moves bytes between the ORAM and a piece of a buffer. */
  private interface Access {
    void move(long offset, ByteBuffer piece) throws IOException;
  }

  /** Moves bytes; if any access fails, channel and buffer keep their positions. */
  private int transfer(ByteBuffer buffer, Access access) throws IOException {
    long start = position;
    int bufferStart = buffer.position();
    boolean done = false;
    try {
      cut(buffer, access);
    } finally {
      try {
        accesses.await();
        done = true;
      } finally {
        if (!done) {
          position = start;
          buffer.position(bufferStart);
        }
      }
    }
    return (int) (position - start);
  }

  /**
   * Cuts a transfer into accesses of as many blocks as possible. The cuts depend on the position
   * and the number of bytes alone.
   */
  private void cut(ByteBuffer buffer, Access access) throws IOException {
    while (buffer.hasRemaining() && position < bytes) {
      int room = rangeBytes - (int) (position % blockBytes);
      int count = (int) Math.min(Math.min(buffer.remaining(), room), bytes - position);
      access.move(position, buffer.duplicate().limit(buffer.position() + count));
      buffer.position(buffer.position() + count);
      position += count;
    }
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
