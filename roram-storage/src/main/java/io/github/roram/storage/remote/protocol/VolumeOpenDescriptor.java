package io.github.roram.storage.remote.protocol;

import io.netty.buffer.ByteBuf;

/**
 * Asks for the lease of a volume: {@code text name | text holder | 16 bytes lease token | u8 take
 * over}.
 *
 * @param name of the volume
 * @param holder who asks, for others to read
 * @param token of a lease to go on with, or {@link LeaseToken#NONE} for a new one
 * @param takeOver whether to take the lease from another client that still holds it
 */
public record VolumeOpenDescriptor(String name, String holder, LeaseToken token, boolean takeOver) {

  /** Longest text about the holder, in bytes. */
  public static final int MAX_HOLDER_BYTES = 128;

  /** Appends the payload. */
  public void encode(ByteBuf out) {
    Text.write(out, name, VolumeNameDescriptor.MAX_NAME_BYTES);
    Text.write(out, holder, MAX_HOLDER_BYTES);
    token.encode(out);
    out.writeByte(takeOver ? 1 : 0);
  }

  /** Takes the payload. */
  public static VolumeOpenDescriptor decode(ByteBuf in) throws ProtocolException {
    String name = Text.read(in, VolumeNameDescriptor.MAX_NAME_BYTES);
    String holder = Text.read(in, MAX_HOLDER_BYTES);
    LeaseToken token = LeaseToken.decode(in);
    Text.require(in, 1);
    int takeOver = in.readUnsignedByte();
    Text.requireEnd(in);
    if (takeOver > 1) {
      throw new ProtocolException("take-over is " + takeOver + ", must be 0 or 1");
    }
    return new VolumeOpenDescriptor(name, holder, token, takeOver == 1);
  }
}
