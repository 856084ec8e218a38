package io.github.roram.engine;

import io.github.roram.Oram;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SeekableByteChannel;

/** The byte view of an ORAM: {@link Oram#channel}. */
final class BlockChannel implements SeekableByteChannel {

  private final Oram oram;
  private final int blockBytes;
  private final int rangeBytes;
  private final long bytes;
  private final ByteBuffer edge;
  private long position;
  private boolean closed;

  BlockChannel(Oram oram) {
    this.oram = oram;
    blockBytes = oram.config().blockBytes();
    rangeBytes = oram.config().maxRangeBlocks() * blockBytes;
    bytes = oram.config().bytes();
    edge = ByteBuffer.allocate(rangeBytes);
  }

  @Override
  public synchronized int read(ByteBuffer target) throws IOException {
    checkOpen();
    if (position >= bytes) {
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
        oram.read(block, blocks, edge.clear());
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
    oram.read(block, 1, edge.clear());
    edge.position(skip).limit(skip + count);
    edge.put(source.slice(source.position(), count));
    oram.write(block, edge.position(0).limit(blockBytes));
    source.position(source.position() + count);
    return count;
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
