package io.github.roram.engine;

import io.github.roram.Oram;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SeekableByteChannel;
import java.util.concurrent.locks.Lock;

/**
 * The byte view of an ORAM: {@link Oram#channel}. Safe for use by several threads, and several
 * views of one ORAM may write parts of the same block at once.
 */
final class BlockChannel implements SeekableByteChannel {

  /** The most that is moved by one access, whatever ranges the ORAM allows. */
  private static final int MAX_BYTES = 1 << 30;

  private final Oram oram;
  private final Lock accessLock;
  private final int blockBytes;
  private final int rangeBytes;
  private final long bytes;
  private ByteBuffer edge = ByteBuffer.allocate(0);
  private long position;
  private boolean closed;

  /**
   * A view.
   *
   * @param accessLock reentrant; while it is held nobody else accesses the ORAM
   */
  BlockChannel(Oram oram, Lock accessLock) {
    this.oram = oram;
    this.accessLock = accessLock;
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
    int total = 0;
    while (target.hasRemaining() && position < bytes) {
      int skip = (int) (position % blockBytes);
      int count = (int) Math.min(Math.min(target.remaining(), rangeBytes - skip), bytes - position);
      long block = position / blockBytes;
      int blocks = (skip + count + blockBytes - 1) / blockBytes;
      if (skip == 0 && count % blockBytes == 0) {
        oram.read(block, blocks, target);
      } else {
        oram.read(block, blocks, edge(blocks));
        target.put(edge.flip().position(skip).limit(skip + count));
      }
      position += count;
      total += count;
    }
    return total;
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
    int total = 0;
    while (source.hasRemaining()) {
      int skip = (int) (position % blockBytes);
      int count =
          skip != 0 || source.remaining() < blockBytes
              ? writePart(source, skip)
              : writeWhole(source);
      position += count;
      total += count;
    }
    return total;
  }

  private int writeWhole(ByteBuffer source) throws IOException {
    int count = Math.min(source.remaining(), rangeBytes) / blockBytes * blockBytes;
    int limit = source.limit();
    source.limit(source.position() + count);
    try {
      oram.write(position / blockBytes, source);
    } finally {
      source.limit(limit);
    }
    return count;
  }

  private int writePart(ByteBuffer source, int skip) throws IOException {
    int count = Math.min(source.remaining(), blockBytes - skip);
    long block = position / blockBytes;
    // Between the read and the write nobody else may write to the block.
    accessLock.lock();
    try {
      oram.read(block, 1, edge(1));
      edge.position(skip).limit(skip + count);
      edge.put(source.slice(source.position(), count));
      oram.write(block, edge.position(0).limit(blockBytes));
    } finally {
      accessLock.unlock();
    }
    source.position(source.position() + count);
    return count;
  }

  /** Room for blocks of which a part is wanted. */
  private ByteBuffer edge(int blocks) {
    if (edge.capacity() < blocks * blockBytes) {
      edge = ByteBuffer.allocate(blocks * blockBytes);
    }
    return edge.clear();
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
