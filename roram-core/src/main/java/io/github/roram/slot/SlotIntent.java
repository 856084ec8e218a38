package io.github.roram.slot;

import static io.github.roram.journal.ReplayCheck.refused;
import static io.github.roram.journal.ReplayCheck.within;

import io.github.roram.OramConfig;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * A read that is about to be shown to the store: for each block a label, and one slot of each
 * stored level. The read is pending until its access is complete, and is repeated unchanged after a
 * crash.
 *
 * <p>As a note in the journal, and in the saved state (big endian), with lv stored levels:
 *
 * <pre>
 *    0  kind = 1                                    u8
 *    1  number of the intent                        u64
 *    9  cnt when it was begun                       u64
 *   17  blocks r, at least 1                        u32
 *   21  r times
 *         address, or −1                            u32
 *         label that is read                        u32
 *         fresh label, or −1                        u32
 *         lv times slot, or 65535                   u16
 * </pre>
 *
 * @param number number of the intent; intents are numbered in order, without gaps
 * @param evictions cnt when the read began: its slots are of the buckets current at that time
 * @param addresses the blocks; −1 for a path that brings no block
 * @param labels the label that is shown for each block
 * @param freshLabels the label that each block gets; {@link #READ_BEFORE} if a pending read brings
 *     the block, so that a random label is shown for it
 * @param slots for each block lv slots, {@link #NONE} where the bucket was never written or is
 *     closed
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record SlotIntent(
    long number, long evictions, int[] addresses, int[] labels, int[] freshLabels, int[] slots) {

  /** Kind of the note. */
  static final byte KIND = 1;

  /** In place of a slot: the bucket was never written, or is closed. */
  static final int NONE = SlotGeometry.MOST_SLOTS - 1;

  /** In place of a fresh label: an earlier read brings the block. */
  static final int READ_BEFORE = -1;

  private static final int FIELD_BYTES = 1 + 2 * Long.BYTES + Integer.BYTES;

  /** Returns the bytes of an intent of {@code blocks} blocks. */
  static int bytes(int blocks, int levels) {
    return FIELD_BYTES + blocks * (3 * Integer.BYTES + levels * Short.BYTES);
  }

  int blocks() {
    return addresses.length;
  }

  /** Returns the slot of a level that is read for a block. */
  int slot(int block, int level) {
    return slots[block * levels() + level];
  }

  /**
   * Returns whether the read brings a block; false if an earlier read brings the block, and for −1.
   */
  boolean brings(int block) {
    return addresses[block] >= 0 && freshLabels[block] != READ_BEFORE;
  }

  /** Returns whether the read brings the block of an address. */
  boolean bringsBlock(int address) {
    for (int block = 0; block < blocks(); block++) {
      if (addresses[block] == address && brings(block)) {
        return true;
      }
    }
    return false;
  }

  private int levels() {
    return slots.length / addresses.length;
  }

  void writeTo(DataOutput out) throws IOException {
    out.writeByte(KIND);
    out.writeLong(number);
    out.writeLong(evictions);
    out.writeInt(blocks());
    int levels = levels();
    for (int block = 0; block < blocks(); block++) {
      out.writeInt(addresses[block]);
      out.writeInt(labels[block]);
      out.writeInt(freshLabels[block]);
      for (int level = 0; level < levels; level++) {
        out.writeShort(slot(block, level));
      }
    }
  }

  /** Reads what {@link #writeTo} wrote after the kind, and refuses values that no client writes. */
  static SlotIntent read(DataInput in, SlotGeometry geometry) throws IOException {
    long number = in.readLong();
    long evictions = in.readLong();
    int blocks = in.readInt();
    within("blocks of a read", blocks, 1, OramConfig.MAX_RANGE_BLOCKS + 1L);
    int levels = geometry.levels();
    int[] addresses = new int[blocks];
    int[] labels = new int[blocks];
    int[] fresh = new int[blocks];
    int[] slots = new int[blocks * levels];
    for (int block = 0; block < blocks; block++) {
      addresses[block] = in.readInt();
      labels[block] = in.readInt();
      fresh[block] = in.readInt();
      within("address", addresses[block], -1, geometry.blocks());
      within("label", labels[block], 0, geometry.leaves());
      within("fresh label", fresh[block], READ_BEFORE, geometry.leaves());
      for (int level = 0; level < levels; level++) {
        int slot = in.readUnsignedShort();
        slots[block * levels + level] = slot;
        if (slot != NONE) {
          within("slot", slot, 0, geometry.slots(level));
        }
      }
    }
    return new SlotIntent(number, evictions, addresses, labels, fresh, slots);
  }

  /** Refuses an intent whose labels are not those of its blocks. */
  void checkLabels(SlotState state) {
    for (int block = 0; block < blocks(); block++) {
      if (brings(block) && state.label(addresses[block]) != labels[block]) {
        throw refused("reads block " + addresses[block] + " at a label that it does not have");
      }
    }
  }
}
