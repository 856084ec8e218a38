package io.github.roram.storage.remote.protocol;

import io.github.roram.storage.remote.protocol.ExtentsDescriptor.TooLargeException;
import io.github.roram.storage.remote.protocol.FrameDescriptor.FrameType;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.XorGroups;
import io.netty.buffer.ByteBuf;

/**
 * What a {@link FrameType#READ_XOR} is about: extents, and which of their units are put together.
 *
 * <pre>
 *  extents ({@link ExtentsDescriptor}) | u16 head bytes | u16 tail bytes | u32 n | n × u16 units
 * </pre>
 */
public final class XorDescriptor {

  /** Most bytes of the units of a group: the server reads them at once. */
  public static final int MOST_BYTES = 16 << 20;

  /** Most units of a group, and most bytes of a head or tail. */
  public static final int MOST_UNITS = 0xffff;

  private static final int HEAD_BYTES = 8;

  private XorDescriptor() {}

  /** Returns the bytes of the payload behind the extents, for this many groups. */
  public static int bytes(int groups) {
    return HEAD_BYTES + groups * Short.BYTES;
  }

  /** Appends the payload. */
  public static void encode(ExtentBatch extents, XorGroups groups, ByteBuf out) {
    ExtentsDescriptor.encode(extents, out);
    out.writeShort(groups.headBytes()).writeShort(groups.tailBytes()).writeInt(groups.groups());
    for (int group = 0; group < groups.groups(); group++) {
      out.writeShort(groups.units(group));
    }
  }

  /**
   * Takes the payload, as {@link ExtentsDescriptor#decode} does, with as many groups at most.
   *
   * @param maxResultBytes most bytes of a group's result
   * @throws TooLargeException if there are more extents, groups or bytes than allowed
   */
  public static XorGroups decode(
      ByteBuf in, ExtentBatch extents, int maxExtents, long maxBytes, int maxResultBytes)
      throws ProtocolException, TooLargeException {
    ExtentsDescriptor.decodeFirst(in, extents, maxExtents, maxBytes);
    Text.require(in, HEAD_BYTES);
    int headBytes = in.readUnsignedShort();
    int tailBytes = in.readUnsignedShort();
    int count = in.readInt();
    if (count <= 0 || headBytes + tailBytes >= extents.unitBytes()) {
      throw new ProtocolException(
          count + " groups of units with " + headBytes + " and " + tailBytes + " bytes apart");
    }
    if (count > maxExtents) {
      throw new TooLargeException(
          "request of " + count + " groups, at most " + maxExtents + " are allowed");
    }
    Text.require(in, (long) count * Short.BYTES);
    XorGroups groups = new XorGroups(extents.unitBytes(), headBytes, tailBytes);
    for (int group = 0; group < count; group++) {
      int units = in.readUnsignedShort();
      if (units == 0 || units > extents.units() - groups.units()) {
        throw new ProtocolException("group of " + units + " units");
      }
      long bytes = (units - 1L) * (headBytes + tailBytes) + extents.unitBytes();
      if (bytes > maxResultBytes || (long) units * extents.unitBytes() > MOST_BYTES) {
        throw new TooLargeException(
            "a group of "
                + units
                + " units, whose result has "
                + bytes
                + " bytes; allowed are units of "
                + MOST_BYTES
                + " bytes, and a result of "
                + maxResultBytes);
      }
      groups.add(units);
    }
    Text.requireEnd(in);
    if (groups.units() != extents.units()) {
      throw new ProtocolException(
          "groups of " + groups.units() + " units for " + extents.units() + " units");
    }
    return groups;
  }
}
