package io.github.roram.proxy.protocol;

import io.github.roram.storage.remote.protocol.ProtocolException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The header of a request; big endian. If the type has a payload, {@code bytes} bytes of it follow.
 *
 * <pre>
 *   0  magic "RPXQ"   u32
 *   4  version 2      u8
 *   5  type           u8
 *   6  0              u16
 *   8  id             u64
 *  16  offset         u64
 *  24  least blocks   u32
 *  28  bytes          u32
 * </pre>
 *
 * @param type type of the request
 * @param id the client's number of the request, which its answer repeats
 * @param offset first byte of a read or write; in a hello, a random number that tells which
 *     connections belong to the same client, or 0; otherwise 0
 * @param leastBlocks least number of blocks that a read or write must seem to access; otherwise 0
 * @param bytes length of the data to read, or of the payload
 */
public record RequestDescriptor(
    RequestType type, long id, long offset, int leastBlocks, int bytes) {

  /** Bytes of a head. */
  public static final int HEAD_BYTES = 32;

  /** The version that this code speaks. */
  public static final int VERSION = 2;

  /** Longest token of a hello. */
  public static final int MAX_TOKEN_BYTES = 1024;

  private static final int MAGIC = 0x52505851;

  /** Returns the header's bytes. */
  public ByteBuffer encode() {
    return ByteBuffer.allocate(HEAD_BYTES)
        .putInt(MAGIC)
        .put((byte) VERSION)
        .put((byte) type.code())
        .putShort((short) 0)
        .putLong(id)
        .putLong(offset)
        .putInt(leastBlocks)
        .putInt(bytes)
        .flip();
  }

  /**
   * Reads a head.
   *
   * @throws ProtocolException if the bytes are none of this version; nothing that follows them can
   *     be understood
   */
  public static RequestDescriptor decode(byte[] head) throws ProtocolException {
    ByteBuffer in = ByteBuffer.wrap(head, 0, HEAD_BYTES);
    int magic = in.getInt();
    if (magic != MAGIC) {
      throw new ProtocolException(
          "request starts with "
              + Integer.toHexString(magic)
              + " instead of 52505851: the other side speaks another protocol, perhaps TLS");
    }
    int version = in.get();
    if (version != VERSION) {
      throw new ProtocolException(
          "request of version " + version + ", only " + VERSION + " is spoken here");
    }
    int code = in.get();
    RequestType type = RequestType.of(code);
    if (type == null || in.getShort() != 0) {
      throw new ProtocolException("request of unknown type " + code + ", or with unknown flags");
    }
    RequestDescriptor request =
        new RequestDescriptor(type, in.getLong(), in.getLong(), in.getInt(), in.getInt());
    if (request.bytes < 0) {
      throw new ProtocolException("request of " + (request.bytes & 0xFFFF_FFFFL) + " bytes");
    }
    return request;
  }

  /** The type of a request. The codes are those of the wire and never change. */
  public enum RequestType {
    /**
     * Identifies the client: the first request of a connection. Its payload is a token, or empty.
     */
    HELLO(1),
    /** An access that reads bytes. */
    READ(2),
    /** An access that writes the bytes of its payload. */
    WRITE(3),
    /** Makes everything acknowledged before durable. */
    FLUSH(4),
    /** Counters of the ORAM. */
    STATS(5),
    /** An access to scattered blocks; its payload is a {@link ScatteredDescriptor}. */
    SCATTERED(6);

    private final int code;

    RequestType(int code) {
      this.code = code;
    }

    int code() {
      return code;
    }

    /** Returns the type of a code; null if there is none. */
    static @Nullable RequestType of(int code) {
      for (RequestType type : values()) {
        if (type.code == code) {
          return type;
        }
      }
      return null;
    }

    /** Returns whether a payload follows the header. */
    public boolean hasPayload() {
      return this == HELLO || this == WRITE || this == SCATTERED;
    }
  }
}
