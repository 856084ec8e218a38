package io.github.roram.testkit;

import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;

/** An array as the source of a bulk load. Hands out at most 1000 bytes at once, as a file may. */
public final class ArrayChannel implements SeekableByteChannel {

  private static final int MOST_BYTES = 1000;

  private final byte[] content;
  private int position;

  public ArrayChannel(byte[] content) {
    this.content = content;
  }

  @Override
  public int read(ByteBuffer target) {
    if (position >= content.length) {
      return -1;
    }
    int bytes = Math.min(Math.min(target.remaining(), content.length - position), MOST_BYTES);
    target.put(content, position, bytes);
    position += bytes;
    return bytes;
  }

  @Override
  public int write(ByteBuffer source) {
    throw new UnsupportedOperationException("a source of a bulk load is only read");
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public SeekableByteChannel position(long newPosition) {
    position = Math.toIntExact(newPosition);
    return this;
  }

  @Override
  public long size() {
    return content.length;
  }

  @Override
  public SeekableByteChannel truncate(long size) {
    throw new UnsupportedOperationException("a source of a bulk load is only read");
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {}
}
