package io.github.roram.storage.remote.protocol;

import io.netty.buffer.ByteBuf;

/**
 * What is known of a volume: {@code u64 capacity bytes | u8 held}.
 *
 * @param capacityBytes size of the address space
 * @param held whether a client holds its lease
 */
public record VolumeInfoDescriptor(long capacityBytes, boolean held) {

  /** Appends the payload. */
  public void encode(ByteBuf out) {
    out.writeLong(capacityBytes).writeByte(held ? 1 : 0);
  }

  /** Takes the payload. */
  public static VolumeInfoDescriptor decode(ByteBuf in) throws ProtocolException {
    Text.require(in, Long.BYTES + 1);
    VolumeInfoDescriptor info = new VolumeInfoDescriptor(in.readLong(), in.readByte() != 0);
    Text.requireEnd(in);
    return info;
  }
}
