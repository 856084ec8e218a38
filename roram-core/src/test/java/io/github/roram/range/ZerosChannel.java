package io.github.roram.range;

import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;

/** So many zeros, to be read. */
final class ZerosChannel implements SeekableByteChannel {

  private final long bytes;
  private long position;

  ZerosChannel(long bytes) {
    this.bytes = bytes;
  }

  @Override
  public int read(ByteBuffer target) {
    int count = (int) Math.min(target.remaining(), bytes - position);
    if (count == 0) {
      return -1;
    }
    target.put(new byte[count]);
    position += count;
    return count;
  }

  @Override
  public int write(ByteBuffer source) {
    throw new UnsupportedOperationException("only read");
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public SeekableByteChannel position(long newPosition) {
    position = newPosition;
    return this;
  }

  @Override
  public long size() {
    return bytes;
  }

  @Override
  public SeekableByteChannel truncate(long size) {
    throw new UnsupportedOperationException("only read");
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {}
}
