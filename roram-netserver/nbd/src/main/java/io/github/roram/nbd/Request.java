package io.github.roram.nbd;

import java.net.ProtocolException;
import java.nio.ByteBuffer;

/**
 * A request as it arrived.
 *
 * @param offset of any value, as an unsigned number
 * @param length bytes, 0 to 2^32 − 1
 */
record Request(int flags, int command, long cookie, long offset, long length) {

  static Request parse(byte[] bytes) throws ProtocolException {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (in.getInt() != TransmissionDescriptor.REQUEST_MAGIC) {
      throw new ProtocolException("a request does not begin with its magic");
    }
    return new Request(
        Short.toUnsignedInt(in.getShort()),
        Short.toUnsignedInt(in.getShort()),
        in.getLong(),
        in.getLong(),
        Integer.toUnsignedLong(in.getInt()));
  }

  /** Bytes that come behind it. */
  long payloadBytes() {
    return command == TransmissionDescriptor.WRITE ? length : 0;
  }

  /** Bytes that are held for it. */
  long heldBytes() {
    return command == TransmissionDescriptor.READ ? length : payloadBytes();
  }

  boolean durable() {
    return (flags & TransmissionDescriptor.FUA) != 0;
  }

  /** What is wrong with it, before anything is done. */
  NbdError check(Export export) {
    int allowed = allowedFlags(export.readOnly(), export.device().trims());
    if (allowed < 0 || (flags & ~allowed) != 0) {
      return NbdError.EINVAL;
    }
    boolean moves =
        command == TransmissionDescriptor.READ || command == TransmissionDescriptor.WRITE;
    if (moves && length > NbdLimits.MAX_REQUEST_BYTES) {
      return NbdError.EINVAL;
    }
    if (command == TransmissionDescriptor.FLUSH) {
      return offset == 0 && length == 0 ? NbdError.NONE : NbdError.EINVAL;
    }
    boolean writes = command != TransmissionDescriptor.READ;
    if (writes && export.readOnly()) {
      return NbdError.EPERM;
    }
    long bytes = export.device().bytes();
    if (offset < 0 || offset > bytes || length > bytes - offset) {
      return writes ? NbdError.ENOSPC : NbdError.EINVAL;
    }
    return NbdError.NONE;
  }

  /** The flags that the command has; −1 if there is no such command. */
  private int allowedFlags(boolean readOnly, boolean trims) {
    int fua = readOnly ? 0 : TransmissionDescriptor.FUA;
    return switch (command) {
      case TransmissionDescriptor.READ -> fua | TransmissionDescriptor.DF;
      case TransmissionDescriptor.WRITE, TransmissionDescriptor.FLUSH -> TransmissionDescriptor.FUA;
      case TransmissionDescriptor.TRIM -> trims ? TransmissionDescriptor.FUA : -1;
      case TransmissionDescriptor.WRITE_ZEROES ->
          TransmissionDescriptor.FUA
              | TransmissionDescriptor.NO_HOLE
              | (trims ? TransmissionDescriptor.FAST_ZERO : 0);
      default -> -1;
    };
  }
}
