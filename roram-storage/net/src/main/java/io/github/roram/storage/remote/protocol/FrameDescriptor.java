package io.github.roram.storage.remote.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The head of a frame, which {@link #payloadBytes} bytes follow.
 *
 * <pre>
 *  0       4         5      6       8            16              20            24       28
 *  +-------+---------+------+-------+------------+---------------+-------------+--------+
 *  | magic | version | type | flags | request id | payload bytes | payload CRC | CRC    |
 *  +-------+---------+------+-------+------------+---------------+-------------+--------+
 * </pre>
 *
 * Numbers are big-endian. The last field is the CRC-32C of the 24 bytes before it. The checksums
 * find faults of lines and memory; who wants to be safe from people uses TLS, and an ORAM
 * authenticates its buckets itself.
 *
 * @param type what the frame is for
 * @param flags {@link #LAST}, {@link #NO_CHECKSUM}
 * @param requestId what the client numbered the request with; 0 only in a handshake
 * @param payloadBytes length of what follows
 * @param payloadCrc CRC-32C of what follows, 0 with {@link #NO_CHECKSUM}
 */
public record FrameDescriptor(
    FrameType type, int flags, long requestId, int payloadBytes, int payloadCrc) {

  /** Bytes of a head. */
  public static final int BYTES = 28;

  /** The protocol's version that this code speaks. */
  public static final int VERSION = 2;

  /** Flag: no more {@link FrameType#DATA} belongs to the request. */
  public static final int LAST = 1;

  /** Flag: the payload carries no checksum. */
  public static final int NO_CHECKSUM = 2;

  private static final int KNOWN_FLAGS = LAST | NO_CHECKSUM;
  private static final int MAGIC = 0x524F524D; // "RORM"
  private static final int CRC_OFFSET = 24;

  /** Appends the head's bytes. */
  public void encode(ByteBuf out) {
    int start = out.writerIndex();
    out.writeInt(MAGIC).writeByte(VERSION).writeByte(type.code()).writeShort(flags);
    out.writeLong(requestId).writeInt(payloadBytes).writeInt(payloadCrc);
    out.writeInt(crc(out, start, CRC_OFFSET));
  }

  /**
   * Takes a head's bytes.
   *
   * @param maxPayloadBytes the longest payload that is allowed
   * @throws ProtocolException if they are no head, damaged, or announce too much
   */
  public static FrameDescriptor decode(ByteBuf in, int maxPayloadBytes) throws ProtocolException {
    int start = in.readerIndex();
    if (in.getInt(start) != MAGIC) {
      throw new ProtocolException(
          "frame starts with "
              + Integer.toHexString(in.getInt(start))
              + " instead of 524f524d: the other side speaks another protocol, perhaps TLS");
    }
    if (crc(in, start, CRC_OFFSET) != in.getInt(start + CRC_OFFSET)) {
      throw new ProtocolException("checksum of a frame's head is wrong");
    }
    in.skipBytes(Integer.BYTES);
    int version = in.readUnsignedByte();
    int typeCode = in.readUnsignedByte();
    FrameType type = FrameType.of(typeCode);
    int flags = in.readUnsignedShort();
    long requestId = in.readLong();
    int payloadBytes = in.readInt();
    int payloadCrc = in.readInt();
    in.skipBytes(Integer.BYTES);
    if (version != VERSION) {
      throw new ProtocolException(
          "frame of version " + version + ", only " + VERSION + " is spoken here");
    }
    if (type == null || (flags & ~KNOWN_FLAGS) != 0) {
      throw new ProtocolException("frame of unknown type " + typeCode + " or flags " + flags);
    }
    if (payloadBytes < 0 || payloadBytes > maxPayloadBytes) {
      throw new ProtocolException(
          "frame announces "
              + (payloadBytes & 0xFFFF_FFFFL)
              + " bytes, at most "
              + maxPayloadBytes
              + " are allowed");
    }
    return new FrameDescriptor(type, flags, requestId, payloadBytes, payloadCrc);
  }

  /** Returns whether a flag is set. */
  public boolean has(int flag) {
    return (flags & flag) != 0;
  }

  /** Returns a whole frame with a copy of {@code payload}'s readable bytes, and their checksum. */
  public static ByteBuf frame(
      ByteBufAllocator allocator, FrameType type, int flags, long requestId, ByteBuf payload) {
    ByteBuf frame = allocator.buffer(BYTES + payload.readableBytes());
    head(type, flags, requestId, payload).encode(frame);
    return frame.writeBytes(payload, payload.readerIndex(), payload.readableBytes());
  }

  /** Returns the header for a payload. */
  public static FrameDescriptor head(FrameType type, int flags, long requestId, ByteBuf payload) {
    int bytes = payload.readableBytes();
    int crc = crc(payload, payload.readerIndex(), bytes);
    return new FrameDescriptor(type, flags, requestId, bytes, crc);
  }

  static int crc(ByteBuf bytes, int index, int length) {
    CRC32C crc = new CRC32C();
    update(crc, bytes, index, length);
    return (int) crc.getValue();
  }

  static void update(CRC32C crc, ByteBuf bytes, int index, int length) {
    if (bytes.nioBufferCount() == 1) {
      crc.update(bytes.internalNioBuffer(index, length));
    } else {
      for (ByteBuffer part : bytes.nioBuffers(index, length)) {
        crc.update(part);
      }
    }
  }

  /**
   * A frame that arrived whole. Who takes it releases the payload.
   *
   * @param head its head
   * @param payload its payload, checked against the head's checksum
   */
  public record Frame(FrameDescriptor head, ByteBuf payload) {

    /** Returns the type of the frame. */
    public FrameType type() {
      return head.type();
    }

    /** Returns the number of the request that the frame belongs to. */
    public long requestId() {
      return head.requestId();
    }

    /** Frees the payload. */
    public void release() {
      payload.release();
    }
  }

  /** The type of a frame. The codes are those of the wire and never change. */
  public enum FrameType {
    /** Client: opens the conversation. */
    HELLO(1),
    /** Server: accepts it. */
    WELCOME(2),
    /** Server: a request failed. */
    ERROR(3),
    /** Server: a request without an answer of its own succeeded. */
    DONE(4),
    /** Either: bytes of a read's answer or of a write. */
    DATA(5),
    /** Client: reads extents of the open volume. */
    READ(6),
    /** Client: writes extents of the open volume; {@link #DATA} follows. */
    WRITE(7),
    /** Client: makes all writes before durable. */
    SYNC(8),
    /** Client: asks whether the server is there. */
    PING(9),
    /** Client: creates a volume. */
    VOLUME_CREATE(10),
    /** Client: opens a volume under an exclusive lease. */
    VOLUME_OPEN(11),
    /** Server: the volume is open. */
    VOLUME_OPENED(12),
    /** Client: asks whether a volume exists. */
    VOLUME_STAT(13),
    /** Server: tells about a volume. */
    VOLUME_INFO(14),
    /** Client: deletes a volume. */
    VOLUME_DELETE(15),
    /** Client: gives the lease of the open volume back. */
    VOLUME_CLOSE(16),
    /** Client: tells how it uses the open volume. */
    VOLUME_USE(17),
    /** Server: tells how it serves the volume. */
    VOLUME_SERVICE(18),
    /** Client: asks for a list of volumes. */
    VOLUME_LIST(19),
    /** Server: a page of the list. */
    VOLUME_PAGE(20),
    /** Client: makes the open volume larger. */
    VOLUME_EXTEND(21),
    /** Client: reads the XOR of groups of units of the open volume. */
    READ_XOR(22);

    private static final FrameType[] BY_CODE = new FrameType[23];

    static {
      for (FrameType type : values()) {
        BY_CODE[type.code] = type;
      }
    }

    private final byte code;

    FrameType(int code) {
      this.code = (byte) code;
    }

    byte code() {
      return code;
    }

    /** Returns the type of a code, or null if there is none. */
    static @Nullable FrameType of(int code) {
      return code > 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }
  }
}
