package io.github.roram.journal;

import com.carrotsearch.hppc.IntArrayList;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;

/**
 * The fields of a record COMMIT, after its kind.
 *
 * <pre>
 *    0  tree                                        u32
 *    4  paths evicted                               u32
 *    8  epoch                                       u32
 *   12  blocks n that left the client               u32
 *   16  n times address                             u32
 *       which tombstones left, where the tree has such
 *       zeros, up to the length of so many paths
 * </pre>
 */
final class CommitDescriptor {

  /** Bytes besides those of the addresses, the kind included. */
  private static final int FIELD_BYTES = 1 + 4 * Integer.BYTES;

  private CommitDescriptor() {}

  /** Bytes of a record of so many blocks, the kind included. */
  static long bytes(long blocks) {
    return FIELD_BYTES + blocks * Integer.BYTES;
  }

  static void write(
      DataOutput out, int tree, int paths, int epoch, IntArrayList left, byte[] tombstones)
      throws IOException {
    out.writeInt(tree);
    out.writeInt(paths);
    out.writeInt(epoch);
    out.writeInt(left.size());
    for (int i = 0; i < left.size(); i++) {
      out.writeInt(left.get(i));
    }
    out.write(tombstones);
  }

  /** Hands the chunk over, and what left by it. */
  static void read(DataInputStream in, JournalReplay replay) throws IOException {
    int tree = in.readInt();
    replay.evicted(tree, in.readInt(), in.readInt());
    for (int i = JournalRecord.readCount(in, "blocks that left", Integer.BYTES); i > 0; i--) {
      replay.left(tree, in.readInt());
    }
    replay.tombstonesLeft(tree, in);
  }
}
