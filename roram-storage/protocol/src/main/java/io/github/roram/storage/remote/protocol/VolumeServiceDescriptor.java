package io.github.roram.storage.remote.protocol;

import io.netty.buffer.ByteBuf;

/**
 * What a server does for the use of a volume ({@link VolumeUseDescriptor}): {@code u16 reads | u64
 * cached bytes}.
 *
 * @param reads how many reads of the connection it answers at the same time
 * @param cachedBytes how much of the volume it has in memory
 */
public record VolumeServiceDescriptor(int reads, long cachedBytes) {

  /** Appends the payload. */
  public void encode(ByteBuf out) {
    out.writeShort(reads).writeLong(cachedBytes);
  }

  /** Takes the payload. */
  public static VolumeServiceDescriptor decode(ByteBuf in) throws ProtocolException {
    Text.require(in, Short.BYTES + Long.BYTES);
    VolumeServiceDescriptor service =
        new VolumeServiceDescriptor(in.readUnsignedShort(), in.readLong());
    Text.requireEnd(in);
    if (service.reads() == 0 || service.cachedBytes() < 0) {
      throw new ProtocolException(
          service.reads() + " reads at a time, " + service.cachedBytes() + " bytes in memory");
    }
    return service;
  }
}
