package io.github.roram.pattern;

import io.github.roram.engine.ReadOnlyChannel;
import java.nio.ByteBuffer;
import java.nio.channels.NonReadableChannelException;

/** A channel that has a size and no contents. */
final class SizedChannel extends ReadOnlyChannel {

  private final long size;

  SizedChannel(long size) {
    this.size = size;
  }

  @Override
  public int read(ByteBuffer target) {
    throw new NonReadableChannelException();
  }

  @Override
  public long size() {
    return size;
  }
}
