package io.github.roram.storage.remote.protocol;

import io.github.roram.store.PrintableText;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** Strings on the wire: a 16-bit length in bytes, then UTF-8. What is read is printable. */
final class Text {

  private Text() {}

  /** Appends a string, cut at {@code maxBytes}. */
  static void write(ByteBuf out, String text, int maxBytes) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(bytes.length, maxBytes);
    out.writeShort(length).writeBytes(bytes, 0, length);
  }

  /** Takes a string, of which {@link PrintableText} is left. */
  static String read(ByteBuf in, int maxBytes) throws ProtocolException {
    require(in, Short.BYTES);
    int length = in.readUnsignedShort();
    if (length > maxBytes) {
      throw new ProtocolException(
          "text of " + length + " bytes, at most " + maxBytes + " are allowed");
    }
    require(in, length);
    return PrintableText.of(in.readCharSequence(length, StandardCharsets.UTF_8).toString());
  }

  /** Throws unless this many bytes are left. */
  static void require(ByteBuf in, long bytes) throws ProtocolException {
    if (in.readableBytes() < bytes) {
      throw new ProtocolException(
          "payload ends " + (bytes - in.readableBytes()) + " bytes too early");
    }
  }

  /** Throws if bytes are left. */
  static void requireEnd(ByteBuf in) throws ProtocolException {
    if (in.isReadable()) {
      throw new ProtocolException("payload is " + in.readableBytes() + " bytes too long");
    }
  }
}
