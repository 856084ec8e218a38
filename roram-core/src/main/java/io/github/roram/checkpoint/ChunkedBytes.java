package io.github.roram.checkpoint;

import java.io.DataOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Bytes in memory that grow without being moved: no append costs more than one chunk, and no array
 * is large enough to disturb the garbage collector.
 */
public final class ChunkedBytes extends OutputStream {

  private static final int CHUNK_BYTES = 1 << 18;

  private final int chunkBytes;
  private final List<byte[]> full = new ArrayList<>();
  private byte[] chunk = {};
  private int used;

  /** Creates an empty stream with chunks of 256 KiB. */
  public ChunkedBytes() {
    this(CHUNK_BYTES);
  }

  /** Creates an empty stream with chunks of {@code chunkBytes} bytes. */
  public ChunkedBytes(int chunkBytes) {
    this.chunkBytes = chunkBytes;
  }

  /** Returns the number of bytes. */
  public long size() {
    return (long) full.size() * chunkBytes + used;
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    int done = 0;
    while (done < length) {
      if (used == chunk.length) {
        nextChunk();
      }
      int count = Math.min(length - done, chunk.length - used);
      System.arraycopy(bytes, offset + done, chunk, used, count);
      used += count;
      done += count;
    }
  }

  private void nextChunk() {
    if (used > 0) {
      full.add(chunk);
    }
    chunk = new byte[chunkBytes];
    used = 0;
  }

  /** Writes all bytes. */
  public void writeTo(DataOutput out) throws IOException {
    for (byte[] bytes : full) {
      out.write(bytes);
    }
    out.write(chunk, 0, used);
  }

  /** Overwrites all bytes with zeros and releases them. */
  public void wipe() {
    full.forEach(bytes -> Arrays.fill(bytes, (byte) 0));
    full.clear();
    Arrays.fill(chunk, (byte) 0);
    used = 0;
  }
}
