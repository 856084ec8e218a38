package io.github.roram.nbd;

import io.github.roram.intake.IntakeLimits;
import io.github.roram.store.StoreFullException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;

/**
 * The bytes of requests and answers (NBD protocol, "Transmission phase"); big endian.
 *
 * <pre>
 *   request                        simple reply
 *    0  magic 0x25609513  u32       0  magic 0x67446698   u32
 *    4  flags             u16       4  error              u32
 *    6  command           u16       8  cookie             u64
 *    8  cookie            u64      16  data, of a read that succeeded
 *   16  offset            u64
 *   24  length            u32      structured reply: one chunk
 *   28  data, of a write            0  magic 0x668e33ef   u32
 *                                   4  flags: 1, done     u16
 *   data: offset u64, bytes         6  kind               u16
 *   error: error u32, text          8  cookie             u64
 *          length u16 = 0          16  length n           u32
 *   none:  nothing                 20  none, data or error  n
 * </pre>
 */
final class TransmissionDescriptor {

  static final int REQUEST_BYTES = 28;
  static final int REQUEST_MAGIC = 0x25609513;

  static final int HAS_FLAGS = 1;
  static final int READ_ONLY = 1 << 1;
  static final int SEND_FLUSH = 1 << 2;
  static final int SEND_FUA = 1 << 3;
  static final int SEND_TRIM = 1 << 5;
  static final int SEND_WRITE_ZEROES = 1 << 6;
  static final int SEND_DF = 1 << 7;
  static final int CAN_MULTI_CONN = 1 << 8;
  static final int SEND_FAST_ZERO = 1 << 11;

  static final int READ = 0;
  static final int WRITE = 1;
  static final int DISC = 2;
  static final int FLUSH = 3;
  static final int TRIM = 4;
  static final int WRITE_ZEROES = 6;

  static final int FUA = 1;
  static final int NO_HOLE = 1 << 1;
  static final int DF = 1 << 2;
  static final int FAST_ZERO = 1 << 4;

  static final int SIMPLE_MAGIC = 0x67446698;
  private static final int STRUCTURED_MAGIC = 0x668e33ef;
  private static final int DONE = 1;
  private static final int KIND_NONE = 0;
  private static final int KIND_DATA = 1;
  private static final int KIND_ERROR = 0x8001;
  static final int SIMPLE_BYTES = 16;
  private static final int CHUNK_BYTES = 20;

  private TransmissionDescriptor() {}

  /** Returns the flags that tell what an export supports. */
  static int flags(boolean readOnly, boolean trims, boolean structured) {
    int flags = HAS_FLAGS | SEND_FLUSH | CAN_MULTI_CONN | (structured ? SEND_DF : 0);
    if (readOnly) {
      return flags | READ_ONLY;
    }
    return flags | SEND_FUA | SEND_WRITE_ZEROES | (trims ? SEND_TRIM | SEND_FAST_ZERO : 0);
  }

  /** Returns a simple reply; the data of a read follow it. */
  static ByteBuffer simple(long cookie, NbdError error) {
    return ByteBuffer.allocate(SIMPLE_BYTES)
        .putInt(SIMPLE_MAGIC)
        .putInt(error.code())
        .putLong(cookie)
        .flip();
  }

  private static ByteBuffer chunk(long cookie, int kind, int bytes, int here) {
    return ByteBuffer.allocate(CHUNK_BYTES + here)
        .putInt(STRUCTURED_MAGIC)
        .putShort((short) DONE)
        .putShort((short) kind)
        .putLong(cookie)
        .putInt(bytes);
  }

  /** Returns the only chunk of a successful read; the data follow it. */
  static ByteBuffer data(long cookie, long offset, int bytes) {
    return chunk(cookie, KIND_DATA, 8 + bytes, 8).putLong(offset).flip();
  }

  /** Returns the only chunk of an empty read. */
  static ByteBuffer none(long cookie) {
    return chunk(cookie, KIND_NONE, 0, 0).flip();
  }

  /** Returns the only chunk of a failed read. */
  static ByteBuffer error(long cookie, NbdError error) {
    return chunk(cookie, KIND_ERROR, 6, 6).putInt(error.code()).putShort((short) 0).flip();
  }

  /**
   * A request as it arrived.
   *
   * @param offset of any value, as an unsigned number
   * @param length bytes, 0 to 2^32 − 1
   */
  record NbdRequest(int flags, int command, long cookie, long offset, long length) {

    static NbdRequest parse(byte[] bytes) throws ProtocolException {
      ByteBuffer in = ByteBuffer.wrap(bytes);
      if (in.getInt() != REQUEST_MAGIC) {
        throw new ProtocolException("a request does not begin with its magic");
      }
      return new NbdRequest(
          Short.toUnsignedInt(in.getShort()),
          Short.toUnsignedInt(in.getShort()),
          in.getLong(),
          in.getLong(),
          Integer.toUnsignedLong(in.getInt()));
    }

    /** Returns the number of bytes that follow the header. */
    long payloadBytes() {
      return command == WRITE ? length : 0;
    }

    /** Returns the number of bytes to hold for this request. */
    long heldBytes() {
      return command == READ ? length : payloadBytes();
    }

    boolean durable() {
      return (flags & FUA) != 0;
    }

    /** Checks the request before anything is done; returns the error, or {@code NONE}. */
    NbdError check(Export export) {
      int allowed = allowedFlags(export.readOnly(), export.device().trims());
      if (allowed < 0 || (flags & ~allowed) != 0) {
        return NbdError.EINVAL;
      }
      boolean moves = command == READ || command == WRITE;
      if (moves && length > IntakeLimits.MOST_REQUEST_BYTES) {
        return NbdError.EINVAL;
      }
      if (command == FLUSH) {
        return offset == 0 && length == 0 ? NbdError.NONE : NbdError.EINVAL;
      }
      boolean writes = command != READ;
      if (writes && export.readOnly()) {
        return NbdError.EPERM;
      }
      long bytes = export.device().bytes();
      if (offset < 0 || offset > bytes || length > bytes - offset) {
        return writes ? NbdError.ENOSPC : NbdError.EINVAL;
      }
      return NbdError.NONE;
    }

    /** Returns the flags that the command may have; −1 for an unknown command. */
    private int allowedFlags(boolean readOnly, boolean trims) {
      int fua = readOnly ? 0 : FUA;
      return switch (command) {
        case READ -> fua | DF;
        case WRITE, FLUSH -> FUA;
        case TRIM -> trims ? FUA : -1;
        case WRITE_ZEROES -> FUA | NO_HOLE | (trims ? FAST_ZERO : 0);
        default -> -1;
      };
    }
  }

  /** The errors of the protocol. */
  enum NbdError {
    NONE(0),
    /** The export is read-only. */
    EPERM(1),
    /** The store failed, or returned something other than what was written there. */
    EIO(5),
    /** The request is invalid, or reads beyond the end. */
    EINVAL(22),
    /** The request writes beyond the end, or the store's disk is full. */
    ENOSPC(28),
    /** The server is shutting down. */
    ESHUTDOWN(108);

    private final int code;

    NbdError(int code) {
      this.code = code;
    }

    int code() {
      return code;
    }

    /** Returns the error to report for a failure. */
    static NbdError of(Throwable failure) {
      if (failure instanceof StoreFullException) {
        return ENOSPC;
      }
      return failure instanceof ClosedChannelException ? ESHUTDOWN : EIO;
    }
  }
}
