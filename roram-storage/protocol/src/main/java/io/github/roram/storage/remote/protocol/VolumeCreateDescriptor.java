package io.github.roram.storage.remote.protocol;

import io.netty.buffer.ByteBuf;

/**
 * Which volume to create: {@code text name | u64 capacity bytes | u64 creation id}.
 *
 * @param name of the volume
 * @param capacityBytes size of its address space
 * @param creationId a random number of the client's: a creation that is repeated with it, because
 *     its answer was lost, succeeds again
 */
public record VolumeCreateDescriptor(String name, long capacityBytes, long creationId) {

  /** Appends the payload. */
  public void encode(ByteBuf out) {
    Text.write(out, name, VolumeNameDescriptor.MAX_NAME_BYTES);
    out.writeLong(capacityBytes).writeLong(creationId);
  }

  /** Takes the payload. */
  public static VolumeCreateDescriptor decode(ByteBuf in) throws ProtocolException {
    String name = Text.read(in, VolumeNameDescriptor.MAX_NAME_BYTES);
    Text.require(in, 2 * Long.BYTES);
    VolumeCreateDescriptor volume = new VolumeCreateDescriptor(name, in.readLong(), in.readLong());
    Text.requireEnd(in);
    return volume;
  }
}
