package io.github.roram.slot;

import static io.github.roram.journal.ReplayCheck.within;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * The result of an eviction whose buckets are on the store. As a note in the journal (big endian):
 *
 * <pre>
 *    0  kind = 2                                    u8
 *    1  eviction t                                  u64
 *    9  epoch                                       u32
 *   13  for each stored level
 *         blocks r                                  u16
 *         r times
 *           address; its bits inverted if the
 *           block has changed and stays             u32
 *           slot                                    u16
 *       zeros, up to the length of a full path
 * </pre>
 *
 * @param eviction t
 * @param epoch the key epoch in which its buckets are sealed
 * @param counts number of blocks in the bucket of each stored level
 * @param addresses the blocks, level by level; with all bits inverted, and so negative, if the
 *     client keeps the block and the copy in the bucket is dead
 * @param slots the slot of each block in its bucket
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record SlotCommit(long eviction, int epoch, int[] counts, int[] addresses, int[] slots) {

  /** Kind of the note. */
  static final byte KIND = 2;

  private static final int FIELD_BYTES = 1 + Long.BYTES + Integer.BYTES;
  private static final int BLOCK_BYTES = Integer.BYTES + Short.BYTES;

  /** Returns the bytes of a note, which all have the same length. */
  static int bytes(SlotGeometry geometry) {
    return FIELD_BYTES + geometry.levels() * Short.BYTES + geometry.pathRoom() * BLOCK_BYTES;
  }

  void writeTo(DataOutput out) throws IOException {
    out.writeByte(KIND);
    out.writeLong(eviction);
    out.writeInt(epoch);
    int block = 0;
    for (int count : counts) {
      out.writeShort(count);
      for (int end = block + count; block < end; block++) {
        out.writeInt(addresses[block]);
        out.writeShort(slots[block]);
      }
    }
  }

  /** Reads what {@link #writeTo} wrote after the kind, and refuses values that no client writes. */
  static SlotCommit read(DataInput in, SlotGeometry geometry, int lastEpoch) throws IOException {
    long eviction = in.readLong();
    int epoch = in.readInt();
    within("epoch", epoch, 1, lastEpoch + 1L);
    int[] counts = new int[geometry.levels()];
    int[] addresses = new int[geometry.pathRoom()];
    int[] slots = new int[addresses.length];
    int block = 0;
    for (int level = 0; level < counts.length; level++) {
      counts[level] = in.readUnsignedShort();
      within("blocks of a bucket", counts[level], 0, geometry.room(level) + 1L);
      for (int end = block + counts[level]; block < end; block++) {
        addresses[block] = in.readInt();
        slots[block] = in.readUnsignedShort();
        within("address", addresses[block], -(int) geometry.blocks(), geometry.blocks());
        within("slot", slots[block], 0, geometry.slots(level));
      }
    }
    return new SlotCommit(eviction, epoch, counts, addresses, slots);
  }
}
