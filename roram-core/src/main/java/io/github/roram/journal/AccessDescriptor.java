package io.github.roram.journal;

import com.carrotsearch.hppc.IntArrayList;
import io.github.roram.stash.Stash;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * The fields of a record ACCESS, after its kind.
 *
 * <pre>
 *    0  number of the intent that is complete       u64
 *    8  tree                                        u32
 *   12  what was looked up of the position map, where that is on the store
 *       blocks read a                               u32
 *       a times                                     block
 *       blocks written b                            u32
 *       b times                                     block
 *       zeros, up to the length of the size class
 *
 *   block: address u32, data
 * </pre>
 *
 * A block that was read and written is among the written ones alone.
 */
final class AccessDescriptor {

  /** Bytes besides those of the blocks, the kind included. */
  private static final int FIELD_BYTES = 1 + Long.BYTES + 3 * Integer.BYTES;

  private AccessDescriptor() {}

  /** Bytes of a record with so many blocks, the kind included. */
  static long bytes(long blocks, int blockBytes) {
    return FIELD_BYTES + blocks * (Integer.BYTES + blockBytes);
  }

  /**
   * Writes an access of a tree, whose stash holds the blocks.
   *
   * @param lookUp what was looked up, as the engine writes it; empty where nothing is
   * @param arrivals addresses of blocks that came from the tree
   * @param written the written blocks, ascending
   */
  static void write(
      DataOutput out,
      long number,
      int tree,
      byte[] lookUp,
      Blocks blocks,
      IntArrayList arrivals,
      int[] written)
      throws IOException {
    out.writeLong(number);
    out.writeInt(tree);
    out.write(lookUp);
    int read = 0;
    for (int i = 0; i < arrivals.size(); i++) {
      read += isWritten(arrivals.get(i), written) ? 0 : 1;
    }
    out.writeInt(read);
    for (int i = 0; i < arrivals.size(); i++) {
      if (!isWritten(arrivals.get(i), written)) {
        blocks.write(arrivals.get(i), out);
      }
    }
    out.writeInt(written.length);
    for (int address : written) {
      blocks.write(address, out);
    }
  }

  private static boolean isWritten(int address, int[] written) {
    return Arrays.binarySearch(written, address) >= 0;
  }

  /** Where the blocks of a record are. */
  record Blocks(Stash stash, int blockBytes) {
    private void write(int address, DataOutput out) throws IOException {
      int slot = stash.find(address);
      out.writeInt(address);
      out.write(stash.array(slot), stash.offset(slot), blockBytes);
    }
  }

  /** Hands the access and its blocks over. */
  static void read(DataInputStream in, JournalReplay replay) throws IOException {
    long number = in.readLong();
    int tree = in.readInt();
    replay.lookedUp(number, tree, in);
    replay.complete(number, tree);
    for (int i = JournalRecord.readCount(in, "blocks read", Integer.BYTES); i > 0; i--) {
      replay.arrived(tree, in.readInt(), in);
    }
    for (int i = JournalRecord.readCount(in, "blocks written", Integer.BYTES); i > 0; i--) {
      replay.written(in.readInt(), in);
    }
  }
}
