package io.github.roram.checkpoint;

import java.io.DataOutput;
import java.io.IOException;

/** Pads a saved state to a public length with zeros, which are sealed like the rest. */
public final class Padding {

  private static final byte[] ZEROS = new byte[1 << 16];

  private Padding() {}

  /** Returns the length to which {@code writtenBytes} bytes are padded. */
  public static long length(long writtenBytes, long unitBytes) {
    return Math.max(1, (writtenBytes + unitBytes - 1) / unitBytes) * unitBytes;
  }

  /**
   * Pads the bytes written so far to a length that reveals nothing about them.
   *
   * @param writtenBytes bytes written so far
   * @param unitBytes length to pad to; if it does not suffice, a multiple of it
   */
  public static void write(DataOutput out, long writtenBytes, long unitBytes) throws IOException {
    for (long missing = length(writtenBytes, unitBytes) - writtenBytes; missing > 0; ) {
      int count = (int) Math.min(missing, ZEROS.length);
      out.write(ZEROS, 0, count);
      missing -= count;
    }
  }
}
