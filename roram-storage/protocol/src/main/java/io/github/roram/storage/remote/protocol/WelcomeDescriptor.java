package io.github.roram.storage.remote.protocol;

import io.netty.buffer.ByteBuf;

/**
 * How a server accepts a client.
 *
 * <pre>
 *  u16 version | u32 max payload bytes | u64 max request bytes | u32 max extents | u64 server id
 * </pre>
 *
 * @param version the version that both speak from now on
 * @param maxPayloadBytes longest payload of a frame, either way
 * @param maxRequestBytes most bytes that one read or write may transfer
 * @param maxExtents most extents of one read or write
 * @param serverId a number of this server process
 */
public record WelcomeDescriptor(
    int version, int maxPayloadBytes, long maxRequestBytes, int maxExtents, long serverId) {

  private static final int BYTES = 26;

  /** Shortest payload that both sides must be able to take. */
  public static final int MIN_PAYLOAD_BYTES = 4096;

  /** Appends the payload. */
  public void encode(ByteBuf out) {
    out.writeShort(version).writeInt(maxPayloadBytes).writeLong(maxRequestBytes);
    out.writeInt(maxExtents).writeLong(serverId);
  }

  /** Takes the payload. */
  public static WelcomeDescriptor decode(ByteBuf in) throws ProtocolException {
    Text.require(in, BYTES);
    WelcomeDescriptor welcome =
        new WelcomeDescriptor(
            in.readUnsignedShort(), in.readInt(), in.readLong(), in.readInt(), in.readLong());
    Text.requireEnd(in);
    if (welcome.maxPayloadBytes < MIN_PAYLOAD_BYTES
        || welcome.maxRequestBytes <= 0
        || welcome.maxExtents <= 0) {
      throw new ProtocolException("limits of the server make no sense: " + welcome);
    }
    return welcome;
  }
}
