package io.github.roram.pattern;

import java.nio.ByteBuffer;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;

/** A channel that has a size and no contents. */
record SizedChannel(long size) implements SeekableByteChannel {

  @Override
  public int read(ByteBuffer target) {
    throw new NonReadableChannelException();
  }

  @Override
  public int write(ByteBuffer source) {
    throw new NonWritableChannelException();
  }

  @Override
  public long position() {
    return 0;
  }

  @Override
  public SeekableByteChannel position(long newPosition) {
    throw new NonReadableChannelException();
  }

  @Override
  public SeekableByteChannel truncate(long newSize) {
    throw new NonWritableChannelException();
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {}
}
