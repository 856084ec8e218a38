package io.github.roram.storage.remote.protocol;

import io.github.roram.store.StoreParts.Part;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/**
 * How a client uses the volume that it has open, for the server to serve it well: {@code u16 reads
 * | u32 n | n × ( u64 offset | u64 bytes )}.
 *
 * @param reads how many reads it would have answered at the same time, at least 1
 * @param parts what is to be kept in the server's memory as far as that goes, what is read most
 *     first: the top levels of the trees. They do not overlap
 */
public record VolumeUseDescriptor(int reads, List<Part> parts) {

  /** Most reads that a client may ask for. */
  public static final int MAX_READS = 0xffff;

  private static final int PART_BYTES = 2 * Long.BYTES;

  /** Copies the list. */
  public VolumeUseDescriptor {
    parts = List.copyOf(parts);
  }

  /** Appends the payload. */
  public void encode(ByteBuf out) {
    out.writeShort(reads).writeInt(parts.size());
    for (Part part : parts) {
      out.writeLong(part.offset()).writeLong(part.bytes());
    }
  }

  /** Takes the payload. Nothing is allocated before its length is known to be right. */
  public static VolumeUseDescriptor decode(ByteBuf in) throws ProtocolException {
    Text.require(in, Short.BYTES + Integer.BYTES);
    int reads = in.readUnsignedShort();
    int count = in.readInt();
    if (reads == 0 || count < 0) {
      throw new ProtocolException(reads + " reads at a time and " + count + " parts");
    }
    Text.require(in, (long) count * PART_BYTES);
    List<Part> parts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long offset = in.readLong();
      long bytes = in.readLong();
      if (offset < 0 || bytes <= 0 || offset > Long.MAX_VALUE - bytes) {
        throw new ProtocolException("part of " + bytes + " bytes at " + offset);
      }
      parts.add(new Part(offset, bytes));
    }
    Text.requireEnd(in);
    return new VolumeUseDescriptor(reads, parts);
  }
}
