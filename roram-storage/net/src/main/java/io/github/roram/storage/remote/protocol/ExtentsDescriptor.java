package io.github.roram.storage.remote.protocol;

import io.github.roram.storage.remote.protocol.FrameDescriptor.FrameType;
import io.github.roram.store.ExtentBatch;
import io.netty.buffer.ByteBuf;

/**
 * What a {@link FrameType#READ} or {@link FrameType#WRITE} is about: extents of whole units.
 *
 * <pre>
 *  u32 unit bytes | u32 n | n × ( u64 offset | u32 units )
 * </pre>
 *
 * The purpose of a request and its tree stay with the client.
 */
public final class ExtentsDescriptor {

  /** Bytes before the first extent. */
  public static final int HEAD_BYTES = 8;

  /** Bytes of one extent. */
  public static final int EXTENT_BYTES = 12;

  private ExtentsDescriptor() {}

  /** Appends the payload. */
  public static void encode(ExtentBatch batch, ByteBuf out) {
    out.writeInt(batch.unitBytes()).writeInt(batch.extents());
    for (int i = 0; i < batch.extents(); i++) {
      out.writeLong(batch.offset(i)).writeInt(batch.units(i));
    }
  }

  /**
   * Takes the payload into {@code batch}, whose phase and tree are kept. Nothing is allocated
   * before the number of extents is known to be allowed.
   *
   * @throws TooLargeException if there are more extents or bytes than allowed
   */
  public static void decode(ByteBuf in, ExtentBatch batch, int maxExtents, long maxBytes)
      throws ProtocolException, TooLargeException {
    decodeFirst(in, batch, maxExtents, maxBytes);
    Text.requireEnd(in);
  }

  /** Decodes extents that something else follows. */
  static void decodeFirst(ByteBuf in, ExtentBatch batch, int maxExtents, long maxBytes)
      throws ProtocolException, TooLargeException {
    Text.require(in, HEAD_BYTES);
    int unitBytes = in.readInt();
    int extents = in.readInt();
    if (unitBytes <= 0 || extents <= 0) {
      throw new ProtocolException(extents + " extents of units of " + unitBytes + " bytes");
    }
    if (extents > maxExtents) {
      throw new TooLargeException(
          "request of " + extents + " extents, at most " + maxExtents + " are allowed");
    }
    Text.require(in, (long) extents * EXTENT_BYTES);
    batch.reset(batch.phase(), batch.tree(), unitBytes);
    long total = 0;
    for (int i = 0; i < extents; i++) {
      long offset = in.readLong();
      int units = in.readInt();
      long bytes = (long) units * unitBytes;
      total += bytes;
      if (units <= 0 || offset < 0 || offset > Long.MAX_VALUE - bytes) {
        throw new ProtocolException("extent of " + units + " units at " + offset);
      }
      if (total > maxBytes || total / unitBytes > Integer.MAX_VALUE) {
        throw new TooLargeException("request of over " + maxBytes + " bytes, more than allowed");
      }
      batch.add(offset, units);
    }
  }

  /** A request above a limit, which leaves the connection as it is. */
  public static final class TooLargeException extends Exception {
    private static final long serialVersionUID = 1L;

    TooLargeException(String message) {
      super(message);
    }
  }
}
