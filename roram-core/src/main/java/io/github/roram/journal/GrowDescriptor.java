package io.github.roram.journal;

import io.github.roram.IntegrityException;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;

/**
 * The fields of a record GROW, after its kind.
 *
 * <pre>
 *    0  blocks that the store has from here on      u64
 * </pre>
 */
final class GrowDescriptor {

  private GrowDescriptor() {}

  static void write(DataOutput out, long blocks) throws IOException {
    out.writeLong(blocks);
  }

  /** Hands the number over. */
  static void read(DataInputStream in, JournalReplay replay) throws IOException {
    if (in.available() != Long.BYTES) {
      throw new IntegrityException(
          "a journal record of a growth has "
              + in.available()
              + " bytes after its kind, expected "
              + Long.BYTES);
    }
    replay.grown(in.readLong());
  }
}
