package io.github.roram.journal;

import io.github.roram.store.AppendLog;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * A part of a log in memory, which moves with the requested pieces: forward by reading on, back by
 * reading again from the log's start. It is as large as the longest piece requested so far, and at
 * least 64 KiB.
 */
final class LogWindow implements Closeable {

  private static final int MIN_BYTES = 1 << 16;

  private final AppendLog log;
  private final long length;
  private InputStream in;
  private byte[] bytes = new byte[MIN_BYTES];

  /**
   * Offset in the log of the first of {@link #bytes}; {@link #filled} is the number of valid bytes.
   */
  private long start;

  private int filled;

  LogWindow(AppendLog log) throws IOException {
    this.log = log;
    length = log.bytes();
    in = log.read();
  }

  /** Returns the length of the log when it was opened. */
  long length() {
    return length;
  }

  /** Returns the array with the piece that {@link #locate} fetched last. */
  byte[] bytes() {
    return bytes;
  }

  /**
   * Fetches a piece of the log.
   *
   * @return the piece's index in {@link #bytes}, valid until the next call
   * @throws EOFException if the log has become shorter
   */
  int locate(long position, int count) throws IOException {
    if (position < start || position > start + filled) {
      in.close();
      in = log.read();
      in.skipNBytes(position);
      start = position;
      filled = 0;
    }
    int index = (int) (position - start);
    if (index > bytes.length - count) {
      filled -= index;
      byte[] target = count > bytes.length ? new byte[count] : bytes;
      System.arraycopy(bytes, index, target, 0, filled);
      bytes = target;
      start = position;
      index = 0;
    }
    if (filled < index + count) {
      filled += in.readNBytes(bytes, filled, bytes.length - filled);
    }
    if (filled < index + count) {
      throw new EOFException("the journal became shorter while it was read");
    }
    return index;
  }

  /** Wipes the window, and closes the stream of the log. */
  @Override
  public void close() throws IOException {
    Arrays.fill(bytes, (byte) 0);
    in.close();
  }
}
