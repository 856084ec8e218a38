package io.github.roram.detwo;

import io.github.roram.IntegrityException;
import java.io.DataInput;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The engine's note, in the client's journal, of an access that writes, or of a sync (big endian).
 *
 * <pre>
 *    0  number of the first write p   u64
 *    8  synced                        u64
 *   16  first block                   u32
 *   20  blocks n                      u32
 *   24  epoch                         u32
 * </pre>
 *
 * Writes p to p + n − 1 wrote the blocks, in one epoch. All writes before number <i>synced</i> are
 * durable on the store, as far as the durability mode goes; if it is p + n, so are those of this
 * note. A note with n = 0 is of a sync: all writes before p are synced, and the refreshes that a
 * crash had lost were repeated in that epoch.
 *
 * @param first p
 * @param synced number of writes that are not in doubt
 * @param block the first block
 * @param count n
 * @param epoch the key epoch
 */
record RecordDescriptor(long first, long synced, int block, int count, int epoch) {

  /** Bytes of a note. */
  static final int BYTES = 28;

  /** Writes the note to the start of an array. */
  void writeTo(byte[] note) {
    ByteBuffer.wrap(note).putLong(first).putLong(synced).putInt(block).putInt(count).putInt(epoch);
  }

  static RecordDescriptor readFrom(DataInput in) throws IOException {
    return new RecordDescriptor(
        in.readLong(), in.readLong(), in.readInt(), in.readInt(), in.readInt());
  }

  /** Returns p + n. */
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
   * @param expected the number that its first write must have
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
