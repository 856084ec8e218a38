package io.github.roram.netserver;

import io.github.roram.storage.remote.protocol.FrameDescriptor;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * Gives the frames of answers another order: the youngest request first, but the frames of one
 * request as they came.
 */
final class AnswerShuffle {

  private static final int ID_OFFSET = 8;
  private static final int LENGTH_OFFSET = 16;

  private final ByteBuf bytes = Unpooled.buffer();
  private long overtakings;

  long overtakings() {
    return overtakings;
  }

  void add(ByteBuf part) {
    bytes.writeBytes(part);
    part.release();
  }

  /** Hands on all whole frames. */
  void drain(Consumer<ByteBuf> target) {
    List<ByteBuf> frames = new ArrayList<>();
    while (bytes.readableBytes() >= FrameDescriptor.BYTES) {
      int length = FrameDescriptor.BYTES + bytes.getInt(bytes.readerIndex() + LENGTH_OFFSET);
      if (bytes.readableBytes() < length) {
        break;
      }
      frames.add(bytes.readBytes(length));
    }
    bytes.discardReadBytes();
    for (int i = 1; i < frames.size(); i++) {
      overtakings += id(frames.get(i)) > id(frames.get(i - 1)) ? 1 : 0;
    }
    frames.sort(Comparator.comparingLong(AnswerShuffle::id).reversed());
    frames.forEach(target);
  }

  void clear() {
    bytes.clear();
  }

  private static long id(ByteBuf frame) {
    return frame.getLong(ID_OFFSET);
  }
}
