package io.github.roram.bench.workload;

import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;

/** Version 0 of every block of a device, made up as it is read. Not thread safe. */
final class InitialContentsChannel implements SeekableByteChannel {

  private final DevicePattern pattern;
  private final byte[] current;
  private final long sizeBytes;
  private long currentBlock = -1;
  private long position;
  private boolean open = true;

  InitialContentsChannel(long blocks, DevicePattern pattern) {
    this.pattern = pattern;
    this.current = new byte[pattern.blockBytes()];
    this.sizeBytes = Math.multiplyExact(blocks, pattern.blockBytes());
  }

  @Override
  public int read(ByteBuffer destination) throws ClosedChannelException {
    checkOpen();
    if (position >= sizeBytes) {
      return -1;
    }
    int wanted = (int) Math.min(destination.remaining(), sizeBytes - position);
    for (int left = wanted; left > 0; ) {
      long block = position / current.length;
      int offset = (int) (position % current.length);
      if (block != currentBlock) {
        pattern.fill(block, 0, current, 0);
        currentBlock = block;
      }
      int piece = Math.min(left, current.length - offset);
      destination.put(current, offset, piece);
      position += piece;
      left -= piece;
    }
    return wanted;
  }

  @Override
  public long position() throws ClosedChannelException {
    checkOpen();
    return position;
  }

  @Override
  public SeekableByteChannel position(long newPosition) throws ClosedChannelException {
    checkOpen();
    if (newPosition < 0) {
      throw new IllegalArgumentException("position is " + newPosition + ", must not be negative");
    }
    position = newPosition;
    return this;
  }

  @Override
  public long size() throws ClosedChannelException {
    checkOpen();
    return sizeBytes;
  }

  @Override
  public int write(ByteBuffer source) {
    throw new NonWritableChannelException();
  }

  @Override
  public SeekableByteChannel truncate(long size) {
    throw new NonWritableChannelException();
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() {
    open = false;
  }

  private void checkOpen() throws ClosedChannelException {
    if (!open) {
      throw new ClosedChannelException();
    }
  }
}
