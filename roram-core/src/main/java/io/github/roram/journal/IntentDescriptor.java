package io.github.roram.journal;

import io.github.roram.IntegrityException;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * The fields of a record INTENT, after its kind; also how the saved state holds pending intents.
 *
 * <pre>
 *    0  number of the intent                        u64
 *    8  tree                                        u32
 *   12  runs r, at least 1                          u32
 *   16  r times
 *         range, or -1                              u32
 *         label that is read                        u32
 *         fresh label, or -1                        u32
 * </pre>
 */
public final class IntentDescriptor {

  private static final int FIELD_BYTES = 16;
  private static final int RUN_BYTES = 3 * Integer.BYTES;

  private IntentDescriptor() {}

  /** Bytes of an intent of so many runs. */
  public static long bytes(int runs) {
    return FIELD_BYTES + (long) runs * RUN_BYTES;
  }

  /** Writes {@link #bytes} bytes. */
  public static void write(Intent intent, DataOutput out) throws IOException {
    out.writeLong(intent.number());
    out.writeInt(intent.tree());
    out.writeInt(intent.ranges().length);
    for (int run = 0; run < intent.ranges().length; run++) {
      out.writeInt(intent.ranges()[run]);
      out.writeInt(intent.labels()[run]);
      out.writeInt(intent.freshLabels()[run]);
    }
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @param availableBytes the most bytes that it can have
   * @throws IntegrityException if it claims to have more, or no run
   */
  public static Intent read(DataInput in, long availableBytes) throws IOException {
    long number = in.readLong();
    int tree = in.readInt();
    int runs = in.readInt();
    if (runs < 1 || bytes(runs) > availableBytes) {
      throw new IntegrityException(
          "an intent of the journal has at most "
              + availableBytes
              + " bytes for "
              + runs
              + " runs of labels");
    }
    int[] ranges = new int[runs];
    int[] labels = new int[runs];
    int[] fresh = new int[runs];
    for (int run = 0; run < runs; run++) {
      ranges[run] = in.readInt();
      labels[run] = in.readInt();
      fresh[run] = in.readInt();
    }
    return new Intent(number, tree, ranges, labels, fresh);
  }
}
