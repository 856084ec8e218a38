package io.github.roram.maptree;

import io.github.roram.IntegrityException;
import io.github.roram.journal.Intent;
import io.github.roram.stash.Stash;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * The content of the position map in a journal's record of an access, as it was before the access
 * changed it (big endian).
 *
 * <pre>
 *   for each tree of the map, the uppermost first:
 *     for each map block that was looked up:
 *       its number, or -1                   u32
 *       its data, or zeros
 * </pre>
 *
 * The length depends only on the tree of data and on the number of ranges read.
 */
final class LookUpDescriptor {

  private LookUpDescriptor() {}

  static void write(Intent part, Stash stash, DataOutput out) throws IOException {
    byte[] zeros = new byte[stash.blockBytes()];
    for (int block : part.ranges()) {
      out.writeInt(block);
      int slot = block < 0 ? -1 : stash.find(block);
      if (slot < 0) {
        out.write(zeros);
      } else {
        out.write(stash.array(slot), stash.offset(slot), stash.blockBytes());
      }
    }
  }

  static void read(Intent part, Stash stash, DataInput in) throws IOException {
    byte[] data = new byte[stash.blockBytes()];
    for (int run = 0; run < part.ranges().length; run++) {
      int block = in.readInt();
      if (block != part.ranges()[run]) {
        throw new IntegrityException(
            "the journal does not fit the client's state: it looks up map block "
                + block
                + " of tree "
                + part.tree()
                + " in place of "
                + part.ranges()[run]
                + "; restore the client's records from copies made together");
      }
      in.readFully(data);
      if (block >= 0 && part.relabels(run)) {
        stash.put(block, part.labels()[run], data, 0);
      }
    }
  }
}
