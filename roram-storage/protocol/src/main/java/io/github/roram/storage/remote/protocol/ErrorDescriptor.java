package io.github.roram.storage.remote.protocol;

import io.netty.buffer.ByteBuf;

/**
 * Why a request failed: {@code u16 code | text}.
 *
 * @param code the kind of error
 * @param message for people; at most {@value #MAX_MESSAGE_BYTES} bytes
 */
public record ErrorDescriptor(ErrorCode code, String message) {

  /** Longest message in bytes. */
  public static final int MAX_MESSAGE_BYTES = 1000;

  /** Appends the payload. */
  public void encode(ByteBuf out) {
    out.writeShort(code.code());
    Text.write(out, message, MAX_MESSAGE_BYTES);
  }

  /** Takes the payload. */
  public static ErrorDescriptor decode(ByteBuf in) throws ProtocolException {
    Text.require(in, Short.BYTES);
    ErrorCode code = ErrorCode.of(in.readUnsignedShort());
    String message = Text.read(in, MAX_MESSAGE_BYTES);
    Text.requireEnd(in);
    return new ErrorDescriptor(code, message);
  }
}
