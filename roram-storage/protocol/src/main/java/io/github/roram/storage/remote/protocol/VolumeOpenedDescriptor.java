package io.github.roram.storage.remote.protocol;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/**
 * The lease of a volume: {@code u64 capacity bytes | 16 bytes lease token | u64 fencing number |
 * u64 verifier | u8 n | n × watermark}.
 *
 * @param capacityBytes size of the address space
 * @param token to go on with after a lost connection
 * @param fencing number of the lease; a later lease has a higher one
 * @param verifier changes when writes that were not synced may be lost
 * @param watermarks those that the volume has, at most {@link #MOST_WATERMARKS}
 */
public record VolumeOpenedDescriptor(
    long capacityBytes, LeaseToken token, long fencing, long verifier, List<byte[]> watermarks) {

  /** The most watermarks of a volume. */
  public static final int MOST_WATERMARKS = 255;

  /** Appends the payload. */
  public void encode(ByteBuf out) {
    out.writeLong(capacityBytes);
    token.encode(out);
    out.writeLong(fencing).writeLong(verifier).writeByte(watermarks.size());
    watermarks.forEach(out::writeBytes);
  }

  /** Takes the payload. */
  public static VolumeOpenedDescriptor decode(ByteBuf in) throws ProtocolException {
    Text.require(in, Long.BYTES);
    long capacity = in.readLong();
    LeaseToken token = LeaseToken.decode(in);
    Text.require(in, 2 * Long.BYTES + 1);
    long fencing = in.readLong();
    long verifier = in.readLong();
    List<byte[]> watermarks = new ArrayList<>();
    for (int left = in.readUnsignedByte(); left > 0; left--) {
      watermarks.add(CarriedWatermark.take(in));
    }
    VolumeOpenedDescriptor opened =
        new VolumeOpenedDescriptor(capacity, token, fencing, verifier, watermarks);
    Text.requireEnd(in);
    if (capacity <= 0) {
      throw new ProtocolException("volume of " + capacity + " bytes");
    }
    return opened;
  }
}
