package io.github.roram.storage.remote.protocol;

import io.github.roram.storage.remote.protocol.FrameDescriptor.FrameType;
import io.github.roram.store.BlockStore;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;

/**
 * The watermark that a client's requests about the open volume begin with, {@link #BYTES} bytes:
 * {@link FrameType#READ}, {@link FrameType#WRITE}, {@link FrameType#SYNC} and {@link
 * FrameType#VOLUME_CLOSE}. Zeros where there is none.
 */
public final class CarriedWatermark {

  /** Its length. */
  public static final int BYTES = BlockStore.WATERMARK_BYTES;

  private CarriedWatermark() {}

  /** Returns the encoding of no watermark. */
  public static byte[] none() {
    return new byte[BYTES];
  }

  /** Returns whether there is a watermark. */
  public static boolean isThere(byte[] watermark) {
    return !Arrays.equals(watermark, none());
  }

  /** Returns whether requests of this type begin with a watermark. */
  public static boolean isOf(FrameType type) {
    return switch (type) {
      case READ, READ_XOR, WRITE, SYNC, VOLUME_CLOSE -> true;
      default -> false;
    };
  }

  /** Returns a payload with a watermark before it. */
  public static ByteBuf before(ByteBuf payload, byte[] watermark) {
    return Unpooled.wrappedBuffer(Unpooled.wrappedBuffer(watermark), payload);
  }

  /** Takes the watermark from a payload. */
  public static byte[] take(ByteBuf payload) throws ProtocolException {
    Text.require(payload, BYTES);
    byte[] watermark = new byte[BYTES];
    payload.readBytes(watermark);
    return watermark;
  }
}
