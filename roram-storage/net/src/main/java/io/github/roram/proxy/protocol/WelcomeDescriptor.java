package io.github.roram.proxy.protocol;

import io.github.roram.OramConfig;
import io.github.roram.storage.remote.protocol.ProtocolException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The answer to a hello: what the ORAM is, and what the proxy takes on; big endian.
 *
 * <pre>
 *   0  blocks             u64
 *   8  block bytes        u32
 *  12  most bytes         u32   of a read or write
 *  16  requests           u32   under way on a connection
 *  20  process            u64   of what acknowledges; 0 if what it acknowledges outlives it
 *  28  scheme             text: u16 length, UTF-8
 *      settings           u16 count, each: name text, value text
 * </pre>
 *
 * @param config the ORAM
 * @param mostBytes longest read or write
 * @param requests most requests under way; beyond, the proxy does not read on
 * @param process a random number of the proxy's process, by which clients know that another took
 *     its place; {@link #DURABLE} if that loses nothing
 */
public record WelcomeDescriptor(OramConfig config, int mostBytes, int requests, long process) {

  /** The process of a proxy of which everything survives that it acknowledges. */
  public static final long DURABLE = 0;

  private static final int FIXED_BYTES = 30;

  /** Returns the payload. */
  public ByteBuffer encode() {
    Map<String, String> settings = config.parameters().settings();
    int bytes = FIXED_BYTES + textBytes(config.scheme());
    for (Map.Entry<String, String> each : settings.entrySet()) {
      bytes += textBytes(each.getKey()) + textBytes(each.getValue());
    }
    ByteBuffer out =
        ByteBuffer.allocate(bytes)
            .putLong(config.blocks())
            .putInt(config.blockBytes())
            .putInt(mostBytes)
            .putInt(requests)
            .putLong(process);
    putText(out, config.scheme());
    out.putShort((short) settings.size());
    settings.forEach(
        (name, value) -> {
          putText(out, name);
          putText(out, value);
        });
    return out.flip();
  }

  private static int textBytes(String text) {
    return Short.BYTES + text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static void putText(ByteBuffer out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.putShort((short) bytes.length).put(bytes);
  }

  private static String text(ByteBuffer in) {
    byte[] bytes = new byte[in.getShort() & 0xFFFF];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /**
   * Reads a payload.
   *
   * @throws ProtocolException if it is none
   * @throws io.github.roram.ConfigurationException if no jar at hand has the scheme of the ORAM
   */
  public static WelcomeDescriptor decode(ByteBuffer in) throws ProtocolException {
    try {
      OramConfig.Builder builder = OramConfig.builder(in.getLong()).blockBytes(in.getInt());
      int mostBytes = in.getInt();
      int requests = in.getInt();
      long process = in.getLong();
      builder.scheme(text(in));
      for (int left = in.getShort(); left > 0; left--) {
        builder.set(text(in), text(in));
      }
      if (in.hasRemaining() || mostBytes < 1 || requests < 1) {
        throw new ProtocolException("the limits of the proxy make no sense");
      }
      return new WelcomeDescriptor(builder.build(), mostBytes, requests, process);
    } catch (BufferUnderflowException e) {
      throw new ProtocolException("the proxy's welcome ends too early");
    }
  }
}
