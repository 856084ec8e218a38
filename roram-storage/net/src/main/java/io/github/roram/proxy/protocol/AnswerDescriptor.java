package io.github.roram.proxy.protocol;

import io.github.roram.storage.remote.protocol.ProtocolException;
import java.nio.ByteBuffer;

/**
 * The head of an answer; big endian. Its payload follows: what was read, a {@link
 * WelcomeDescriptor}, a {@link StatsDescriptor}, or the text of an error in UTF-8.
 *
 * <pre>
 *   0  magic "RPXA"   u32
 *   4  status         u16
 *   6  0              u16
 *   8  id             u64
 *  16  bytes          u32
 * </pre>
 *
 * @param status how the request ended
 * @param id the client's number for it
 * @param bytes length of the payload
 */
public record AnswerDescriptor(AnswerStatus status, long id, int bytes) {

  /** Bytes of a head. */
  public static final int HEAD_BYTES = 20;

  /** Where the length of the payload stands. */
  public static final int LENGTH_OFFSET = 16;

  /** Longest text of an error. */
  public static final int MAX_TEXT_BYTES = 1000;

  private static final int MAGIC = 0x52505841;

  /** Returns the header's bytes. */
  public ByteBuffer encode() {
    return ByteBuffer.allocate(HEAD_BYTES)
        .putInt(MAGIC)
        .putShort((short) status.code())
        .putShort((short) 0)
        .putLong(id)
        .putInt(bytes)
        .flip();
  }

  /**
   * Reads a head from where a buffer stands.
   *
   * @throws ProtocolException if there is none
   */
  public static AnswerDescriptor decode(ByteBuffer in) throws ProtocolException {
    if (in.remaining() < HEAD_BYTES || in.getInt() != MAGIC) {
      throw new ProtocolException(
          "what answers is no proxy; is it a block server, or does it speak TLS?");
    }
    AnswerStatus status = AnswerStatus.of(in.getShort() & 0xFFFF);
    in.getShort();
    return new AnswerDescriptor(status, in.getLong(), in.getInt());
  }

  /** The outcome of a request. The codes are those of the wire and never change. */
  public enum AnswerStatus {
    /** The request was carried out. */
    OK(0),
    /**
     * The request asks for something that the ORAM does not have, or for too much at once; nothing
     * was done.
     */
    INVALID(1),
    /** The client may not use the ORAM; the connection ends. */
    UNAUTHORISED(2),
    /** The proxy is shutting down; nothing was done. */
    DRAINING(3),
    /** The store or the client's disk failed: the request may be repeated. */
    IO(4),
    /** The store returned something other than what was last written. */
    DAMAGED(5),
    /** An earlier access reached the stash limit. */
    FULL(6),
    /** An unexpected failure. */
    INTERNAL(7);

    private final int code;

    AnswerStatus(int code) {
      this.code = code;
    }

    int code() {
      return code;
    }

    /** Returns the status of a code; {@link #INTERNAL} for unknown codes. */
    static AnswerStatus of(int code) {
      for (AnswerStatus status : values()) {
        if (status.code == code) {
          return status;
        }
      }
      return INTERNAL;
    }
  }
}
