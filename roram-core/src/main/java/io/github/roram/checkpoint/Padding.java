package io.github.roram.checkpoint;

import java.io.DataOutput;
import java.io.IOException;

/** Pads a saved state to a public length with zeros, which are sealed like all of it. */
public final class Padding {

  private static final byte[] ZEROS = new byte[1 << 16];

  private Padding() {}

  /** Returns the length that so many written bytes are padded to. */
  public static long length(long writtenBytes, long unitBytes) {
    return Math.max(1, (writtenBytes + unitBytes - 1) / unitBytes) * unitBytes;
  }

  /**
   * Pads the bytes written so far to a length that reveals nothing about them.
   *
   * @param writtenBytes bytes written so far
   * @param unitBytes length to pad to; a multiple of it if it does not suffice
   */
  public static void write(DataOutput out, long writtenBytes, long unitBytes) throws IOException {
    for (long missing = length(writtenBytes, unitBytes) - writtenBytes; missing > 0; ) {
      int count = (int) Math.min(missing, ZEROS.length);
      out.write(ZEROS, 0, count);
      missing -= count;
    }
  }
}
