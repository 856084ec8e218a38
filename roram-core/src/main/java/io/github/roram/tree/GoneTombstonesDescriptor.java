package io.github.roram.tree;

import io.github.roram.IntegrityException;
import java.io.DataInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;

/**
 * The tombstones in a journal's record of a chunk of evictions (big endian).
 *
 * <pre>
 *    0  number n of tombstones that the client held  u32
 *    4  which of them left with the chunk            n bits, starting at the lowest of the first byte
 *       zeros, up to the length for the most tombstones that a client can hold
 * </pre>
 */
public final class GoneTombstonesDescriptor {

  private GoneTombstonesDescriptor() {}

  /** Returns its length in bytes if a client holds at most this many tombstones. */
  public static int bytes(int mostHeld) {
    return Integer.BYTES + (mostHeld + Byte.SIZE - 1) / Byte.SIZE;
  }

  /**
   * Returns the bytes.
   *
   * @param mostHeld the most tombstones of a tree that a client can hold
   */
  public static byte[] encode(TombstoneLiveness.Gone left, int mostHeld) {
    int most = Math.max(mostHeld, left.held());
    ByteBuffer out = ByteBuffer.allocate(bytes(most));
    out.putInt(left.held()).put(left.gone().toByteArray());
    return out.array();
  }

  /**
   * Reads what {@link #encode} made, up to the zeros.
   *
   * @param held how many the client holds
   * @throws IntegrityException if it is of another number
   */
  static BitSet read(DataInput in, int held) throws IOException {
    int saved = in.readInt();
    if (saved != held) {
      throw new IntegrityException(
          "the journal does not fit the client's state: it evicts where the client held "
              + saved
              + " tombstones, not "
              + held
              + "; restore the client's records from copies made together");
    }
    byte[] bits = new byte[(held + Byte.SIZE - 1) / Byte.SIZE];
    in.readFully(bits);
    return BitSet.valueOf(bits);
  }
}
