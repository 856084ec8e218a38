package io.github.roram.journal;

import io.github.roram.IntegrityException;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Collection;

/**
 * The fields of a record TRIMS, after its kind.
 *
 * <pre>
 *    0  trims n, at most 32                         u32
 *    4  n times
 *         first block                               u32
 *         blocks                                    u32
 *       zeros, up to 32 trims
 * </pre>
 *
 * Its length tells nothing, not even whether there was a trim: there is one before each access and
 * in each flush.
 */
final class TrimsDescriptor {

  /** The most trims in a record. */
  static final int MOST = 32;

  private static final int TRIM_BYTES = 2 * Integer.BYTES;

  /** Bytes of a record, the kind included. */
  static final int BYTES = 1 + Integer.BYTES + MOST * TRIM_BYTES;

  private TrimsDescriptor() {}

  /** Consecutive blocks that read as zeros. */
  record Trim(int first, int blocks) {}

  static void write(DataOutput out, Collection<Trim> trims) throws IOException {
    out.writeInt(trims.size());
    for (Trim trim : trims) {
      out.writeInt(trim.first());
      out.writeInt(trim.blocks());
    }
  }

  /** Hands the trims over. */
  static void read(DataInputStream in, JournalReplay replay) throws IOException {
    if (1 + in.available() != BYTES) {
      throw new IntegrityException(
          "a journal record of trims has " + (1 + in.available()) + " bytes, expected " + BYTES);
    }
    for (int i = JournalRecord.readCount(in, "trims", TRIM_BYTES); i > 0; i--) {
      replay.trimmed(in.readInt(), in.readInt());
    }
  }
}
