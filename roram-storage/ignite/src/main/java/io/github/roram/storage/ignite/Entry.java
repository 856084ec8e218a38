package io.github.roram.storage.ignite;

import java.nio.ByteBuffer;

/**
 * The value of a key: its first byte says what the others are.
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

  /** Of an object that is short enough, or a piece. */
  static byte[] whole(ByteBuffer bytes) {
    byte[] value = new byte[1 + bytes.remaining()];
    bytes.duplicate().get(value, 1, bytes.remaining());
    return value;
  }

  /** Of an object in pieces. */
  static byte[] pieces(byte kind, int bytes) {
    return ByteBuffer.allocate(1 + Integer.BYTES).put(kind).putInt(bytes).array();
  }

  /** How long an object in pieces is. */
  static int bytes(byte[] value) {
    return ByteBuffer.wrap(value).getInt(1);
  }

  /** Whether a node may answer with an entry of whose object so many bytes were asked for. */
  static boolean isAnswer(byte[] value, int mostBytes) {
    return value.length > 0
        && (value[0] == WHOLE ? value.length <= 1 + mostBytes : value.length == 1 + Integer.BYTES);
  }

  /** The key of a piece; no object has such a name. */
  static String pieceKey(String key, int piece) {
    return key + "#" + piece;
  }
}
