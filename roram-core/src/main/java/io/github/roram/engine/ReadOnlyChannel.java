package io.github.roram.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;

/** A channel that is read from its position on, and never written. Not thread safe. */
public abstract class ReadOnlyChannel implements SeekableByteChannel {

  /** Position of the next byte to read, 0 or more. */
  protected long position;

  private boolean open = true;

  @Override
  public final long position() throws ClosedChannelException {
    checkOpen();
    return position;
  }

  @Override
  public final SeekableByteChannel position(long newPosition) throws ClosedChannelException {
    checkOpen();
    if (newPosition < 0) {
      throw new IllegalArgumentException("position is " + newPosition + ", must not be negative");
    }
    position = newPosition;
    return this;
  }

  @Override
  public final int write(ByteBuffer source) {
    throw new NonWritableChannelException();
  }

  @Override
  public final SeekableByteChannel truncate(long size) {
    throw new NonWritableChannelException();
  }

  @Override
  public final boolean isOpen() {
    return open;
  }

  @Override
  public void close() throws IOException {
    open = false;
  }

  /** Refuses calls of a closed channel. */
  protected final void checkOpen() throws ClosedChannelException {
    if (!open) {
      throw new ClosedChannelException();
    }
  }
}
