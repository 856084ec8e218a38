package io.github.roram.storage.remote.protocol;

import io.netty.buffer.ByteBuf;

/**
 * Asks for the lease of a volume: {@code text name | text holder | 16 bytes lease token | u8 mode}.
 *
 * <p>The client chooses the token. So an answer that was lost does no harm: who asks again for a
 * lease under the token that it already has gets it.
 *
 * @param name of the volume
 * @param holder who asks, for others to read
 * @param token of the lease, not {@link LeaseToken#NONE}
 * @param mode what to do if the token is not that of the volume's lease
 */
public record VolumeOpenDescriptor(String name, String holder, LeaseToken token, Mode mode) {

  /** Longest text about the holder, in bytes. */
  public static final int MAX_HOLDER_BYTES = 128;

  /** What to do about a lease under another token. */
  public enum Mode {
    /** Be refused: this client had the lease, and another has it now. */
    RESUME(0),
    /** Get a new lease, unless another client holds the volume. */
    ACQUIRE(1),
    /** Get a new lease, whoever holds the volume. */
    TAKE_OVER(2);

    private final int code;

    Mode(int code) {
      this.code = code;
    }

    private static Mode of(int code) throws ProtocolException {
      for (Mode mode : values()) {
        if (mode.code == code) {
          return mode;
        }
      }
      throw new ProtocolException("mode of opening is " + code + ", must be 0 to 2");
    }
  }

  /** Appends the payload. */
  public void encode(ByteBuf out) {
    Text.write(out, name, VolumeNameDescriptor.MAX_NAME_BYTES);
    Text.write(out, holder, MAX_HOLDER_BYTES);
    token.encode(out);
    out.writeByte(mode.code);
  }

  /** Takes the payload. */
  public static VolumeOpenDescriptor decode(ByteBuf in) throws ProtocolException {
    String name = Text.read(in, VolumeNameDescriptor.MAX_NAME_BYTES);
    String holder = Text.read(in, MAX_HOLDER_BYTES);
    LeaseToken token = LeaseToken.decode(in);
    Text.require(in, 1);
    Mode mode = Mode.of(in.readUnsignedByte());
    Text.requireEnd(in);
    if (token.equals(LeaseToken.NONE)) {
      throw new ProtocolException("a lease needs a token that is not zero");
    }
    return new VolumeOpenDescriptor(name, holder, token, mode);
  }
}
