package io.github.roram.journal;

import io.github.roram.IntegrityException;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The fields of a record INTENT, after its kind. The saved state has pending intents in the same
 * form.
 *
 * <pre>
 *    0  number of the intent                        u64
 *    8  reads m of the position map                 u16
 *   10  1 if it is shown to write                   1 bit
 *       tree                                        15 bits
 *   12  runs r, at least 1                          u32
 *   16  r times
 *         range, or -1                              u32
 *         label that is read                        u32
 *         fresh label, or -1                        u32
 *       m times the same from 8 on, with no reads of a map
 * </pre>
 *
 * If the client has the position map, m is 0. If it is hidden which accesses write, the bit is 0.
 */
public final class IntentDescriptor {

  private static final int READ_FIELD_BYTES = 2 * Integer.BYTES;
  private static final int FIELD_BYTES = Long.BYTES + READ_FIELD_BYTES;
  private static final int READ = 1 << 16;
  private static final int WRITES = 1 << 15;
  private static final int RUN_BYTES = 3 * Integer.BYTES;

  private IntentDescriptor() {}

  /** Returns the bytes of an intent of {@code runs} runs, without reads of a position map. */
  public static long bytes(int runs) {
    return FIELD_BYTES + (long) runs * RUN_BYTES;
  }

  /** Returns the bytes of an intent, with its reads of a position map. */
  public static long bytes(Intent intent) {
    long bytes = bytes(intent.ranges().length);
    for (Intent part : intent.maps()) {
      bytes += mapBytes(part.ranges().length);
    }
    return bytes;
  }

  /** Returns the bytes that a read of a position map of {@code runs} runs adds to an intent. */
  public static long mapBytes(int runs) {
    return READ_FIELD_BYTES + (long) runs * RUN_BYTES;
  }

  /** Writes an intent: {@link #bytes(Intent)} bytes. */
  public static void write(Intent intent, DataOutput out) throws IOException {
    out.writeLong(intent.number());
    writeRuns(intent, out);
    for (Intent part : intent.maps()) {
      writeRuns(part, out);
    }
  }

  private static void writeRuns(Intent intent, DataOutput out) throws IOException {
    out.writeInt(intent.maps().size() * READ + (intent.writes() ? WRITES : 0) + intent.tree());
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
   * @param availableBytes the most bytes that the intent can have
   * @throws IntegrityException if the intent claims to have more, or has no run
   */
  public static Intent read(DataInput in, long availableBytes) throws IOException {
    return read(in, in.readLong(), true, availableBytes - Long.BYTES);
  }

  private static Intent read(DataInput in, long number, boolean first, long availableBytes)
      throws IOException {
    int tree = in.readInt();
    int maps = tree >>> 16;
    int runs = in.readInt();
    if (runs < 1 || mapBytes(runs) > availableBytes || (maps > 0 && !first)) {
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
    List<Intent> chain = new ArrayList<>();
    long left = availableBytes - mapBytes(runs);
    for (int i = 0; i < maps; i++) {
      Intent part = read(in, number, false, left);
      left -= mapBytes(part.ranges().length);
      chain.add(part);
    }
    boolean writes = first && (tree & WRITES) != 0;
    int ofTree = tree & (first ? WRITES - 1 : READ - 1);
    return new Intent(number, ofTree, ranges, labels, fresh, chain, writes);
  }
}
