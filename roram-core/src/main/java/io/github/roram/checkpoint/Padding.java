package io.github.roram.checkpoint;

import java.io.DataOutput;
import java.io.IOException;

/** What makes a saved state as long as everyone can tell: zeros, which are sealed as all of it. */
public final class Padding {

  private static final byte[] ZEROS = new byte[1 << 16];

  private Padding() {}

  /**
   * Pads what was written to a length that tells nothing of it.
   *
   * @param writtenBytes what was written so far
   * @param unitBytes what it is padded to, or to a multiple of it should it not suffice
   */
  public static void write(DataOutput out, long writtenBytes, long unitBytes) throws IOException {
    long units = Math.max(1, (writtenBytes + unitBytes - 1) / unitBytes);
    for (long missing = units * unitBytes - writtenBytes; missing > 0; ) {
      int count = (int) Math.min(missing, ZEROS.length);
      out.write(ZEROS, 0, count);
      missing -= count;
    }
  }
}
