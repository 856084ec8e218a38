package io.github.roram.storage.remote.protocol;

import io.netty.buffer.ByteBuf;
import java.util.regex.Pattern;

/**
 * Which volume to look at or delete: {@code text}.
 *
 * @param name of the volume
 */
public record VolumeNameDescriptor(String name) {

  /** Longest name in bytes. */
  public static final int MAX_NAME_BYTES = 64;

  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");

  /** Whether a volume may have this name. */
  public static boolean isValid(String name) {
    return NAME.matcher(name).matches();
  }

  /** Appends the payload. */
  public void encode(ByteBuf out) {
    Text.write(out, name, MAX_NAME_BYTES);
  }

  /** Takes the payload. */
  public static VolumeNameDescriptor decode(ByteBuf in) throws ProtocolException {
    VolumeNameDescriptor volume = new VolumeNameDescriptor(Text.read(in, MAX_NAME_BYTES));
    Text.requireEnd(in);
    return volume;
  }
}
