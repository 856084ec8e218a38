package io.github.roram.detwo;

import io.github.roram.IntegrityException;
import java.io.DataInput;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * What the engine notes in the client's journal of an access that writes, or of a sync (big
 * endian).
 *
 * <pre>
 *    0  number of the first write p   u64
 *    8  synced                        u64
 *   16  first block                   u32
 *   20  blocks n                      u32
 *   24  epoch                         u32
 * </pre>
 *
 * Blocks were written by the writes p to p + n − 1, in one epoch. All writes before number
 * <i>synced</i> are on the store for good, as far as the durability goes: those of this note too
 * where it is p + n. With n = 0 nothing was written: all before p is synced, the refreshes that a
 * crash had lost included, which were done again in that epoch.
 *
 * @param first p
 * @param synced writes that are not in doubt
 * @param block the first block
 * @param count n
 * @param epoch the key epoch
 */
record RecordDescriptor(long first, long synced, int block, int count, int epoch) {

  /** Length of every note. */
  static final int BYTES = 28;

  /** Writes the note to the start of an array. */
  void writeTo(byte[] note) {
    ByteBuffer.wrap(note).putLong(first).putLong(synced).putInt(block).putInt(count).putInt(epoch);
  }

  static RecordDescriptor readFrom(DataInput in) throws IOException {
    return new RecordDescriptor(
        in.readLong(), in.readLong(), in.readInt(), in.readInt(), in.readInt());
  }

  /** p + n. */
  long end() {
    return first + count;
  }

  /** Returns whether a power failure may have taken what was written. */
  boolean isInDoubt() {
    return synced < end();
  }

  /**
   * Refuses a note that no client makes at this place.
   *
   * @param expected what the number of its first write must be
   */
  void check(long expected, Areas areas, int longest, int lastEpoch) {
    boolean fits =
        first == expected
            && synced >= 0
            && synced <= end()
            && count >= 0
            && count <= longest
            && block >= 0
            && block <= areas.blocks() - count
            && epoch > 0
            && epoch <= lastEpoch;
    if (!fits) {
      throw new IntegrityException(
          "the journal has "
              + this
              + " where write "
              + expected
              + " comes, of "
              + areas.blocks()
              + " blocks and up to epoch "
              + lastEpoch
              + "; restore it from a copy");
    }
  }
}
