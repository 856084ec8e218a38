package io.github.roram.testkit;

import io.github.roram.engine.ReadOnlyChannel;
import java.nio.ByteBuffer;

/** An array as the source of a bulk load. Returns at most 1000 bytes at once, as a file may. */
public final class ArrayChannel extends ReadOnlyChannel {

  private static final int MOST_BYTES = 1000;

  private final byte[] content;

  public ArrayChannel(byte[] content) {
    this.content = content;
  }

  @Override
  public int read(ByteBuffer target) {
    if (position >= content.length) {
      return -1;
    }
    int bytes = Math.min(target.remaining(), content.length - (int) position);
    bytes = Math.min(bytes, MOST_BYTES);
    target.put(content, (int) position, bytes);
    position += bytes;
    return bytes;
  }

  @Override
  public long size() {
    return content.length;
  }
}
