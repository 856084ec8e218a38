package io.github.roram.storage.remote.protocol;

import io.netty.buffer.ByteBuf;

/**
 * The lease of a volume: {@code u64 capacity bytes | 16 bytes lease token | u64 fencing number |
 * u64 verifier}.
 *
 * @param capacityBytes size of the address space
 * @param token to go on with after a lost connection
 * @param fencing number of the lease; a later lease has a higher one
 * @param verifier changes when writes that were not synced may be lost
 */
public record VolumeOpenedDescriptor(
    long capacityBytes, LeaseToken token, long fencing, long verifier) {

  /** Appends the payload. */
  public void encode(ByteBuf out) {
    out.writeLong(capacityBytes);
    token.encode(out);
    out.writeLong(fencing).writeLong(verifier);
  }

  /** Takes the payload. */
  public static VolumeOpenedDescriptor decode(ByteBuf in) throws ProtocolException {
    Text.require(in, Long.BYTES);
    long capacity = in.readLong();
    LeaseToken token = LeaseToken.decode(in);
    Text.require(in, 2 * Long.BYTES);
    VolumeOpenedDescriptor opened =
        new VolumeOpenedDescriptor(capacity, token, in.readLong(), in.readLong());
    Text.requireEnd(in);
    if (capacity <= 0) {
      throw new ProtocolException("volume of " + capacity + " bytes");
    }
    return opened;
  }
}
