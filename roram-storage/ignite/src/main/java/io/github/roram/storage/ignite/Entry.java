package io.github.roram.storage.ignite;

import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.MutableEntry;
import org.jspecify.annotations.Nullable;

/**
 * The value of a key: its first byte says what the others are. Nodes read and remove it where it
 * is.
 *
 * <pre>
 *   0  the object
 *   1  u32, how long the object is that is in pieces
 *   2  the same of one whose pieces are being written
 * </pre>
 *
 * A piece has the form 0; its key is the object's, and a number.
 */
final class Entry {

  /** Most bytes of an object, or of a piece of one, in an entry. */
  static final int MOST_BYTES = 1 << 20;

  static final byte WHOLE = 0;
  static final byte PIECES = 1;
  static final byte WRITING = 2;

  private Entry() {}

  /** Returns the entry of a short object, or of a piece. */
  static byte[] whole(ByteBuffer bytes) {
    byte[] value = new byte[1 + bytes.remaining()];
    bytes.duplicate().get(value, 1, bytes.remaining());
    return value;
  }

  /** Returns the entry of an object in pieces. */
  static byte[] pieces(byte kind, int bytes) {
    return ByteBuffer.allocate(1 + Integer.BYTES).put(kind).putInt(bytes).array();
  }

  /** Returns the length of an object in pieces. */
  static int bytes(byte[] value) {
    return ByteBuffer.wrap(value).getInt(1);
  }

  /**
   * Returns whether a node may answer with an entry if {@code mostBytes} bytes of its object were
   * asked for.
   */
  static boolean isAnswer(byte[] value, int mostBytes) {
    return value.length > 0
        && (value[0] == WHOLE ? value.length <= 1 + mostBytes : value.length == 1 + Integer.BYTES);
  }

  /** Returns the key of a piece; no object has such a name. */
  static String pieceKey(String key, int piece) {
    return key + "#" + piece;
  }

  private static boolean isWhole(byte[] value) {
    return value.length > 0 && value[0] == WHOLE;
  }

  /**
   * Reads a part of an object where its entry is, so that no more than the part is sent. It has the
   * form of an update, so a node that is not with the {@link Majority} does not answer.
   */
  static final class ReadPart implements EntryProcessor<String, byte[], byte[]> {

    /**
     * Takes as arguments an offset, a {@link Long}, and most bytes, an {@link Integer}.
     *
     * @return an entry with the part alone, or the entry of an object in pieces; null if there is
     *     none
     */
    @Override
    public byte @Nullable [] process(MutableEntry<String, byte[]> entry, Object... arguments) {
      byte[] value = entry.getValue();
      if (value == null || !isWhole(value)) {
        return value;
      }
      int from = (int) Math.min(value.length, 1 + (Long) arguments[0]);
      int bytes = Math.min(value.length - from, (Integer) arguments[1]);
      // From the byte before, which becomes the kind of entry.
      byte[] part = Arrays.copyOfRange(value, from - 1, from + bytes);
      part[0] = WHOLE;
      return part;
    }
  }

  /** Removes the entry of an object that is not in pieces, which must go first. */
  static final class RemoveWhole implements EntryProcessor<String, byte[], byte[]> {

    /** Returns the entry of an object in pieces, which is left; else null. */
    @Override
    public byte @Nullable [] process(MutableEntry<String, byte[]> entry, Object... arguments) {
      byte[] value = entry.getValue();
      // One without a byte is damaged, and of no object.
      if (value == null || (value.length > 0 && !isWhole(value))) {
        return value;
      }
      entry.remove();
      return null;
    }
  }
}
