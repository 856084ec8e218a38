package io.github.roram.netserver;

import io.github.roram.storage.remote.protocol.FrameDescriptor;
import io.netty.buffer.ByteBuf;
import java.util.function.LongConsumer;

/** Finds the ends of frames in a stream of bytes, without looking at anything but their lengths. */
final class FrameMeter {

  private static final int LENGTH_OFFSET = 16;

  private final byte[] length = new byte[Integer.BYTES];
  private int inHead;
  private int payloadLeft;
  private boolean foreign; // TLS, whose inside is not seen

  /**
   * Walks over the next bytes, which stay unread.
   *
   * @param ends is told how many of them end a frame
   */
  void feed(ByteBuf in, int bytes, LongConsumer ends) {
    if (bytes > 0 && inHead == 0) {
      foreign |= in.getByte(in.readerIndex()) != 'R';
    }
    for (int i = 0; i < bytes && !foreign; i++) {
      if (inHead < FrameDescriptor.BYTES) {
        int place = inHead - LENGTH_OFFSET;
        if (place >= 0 && place < length.length) {
          length[place] = in.getByte(in.readerIndex() + i);
        }
        inHead++;
        if (inHead == FrameDescriptor.BYTES) {
          payloadLeft = java.nio.ByteBuffer.wrap(length).getInt();
        }
      } else {
        int step = Math.min(payloadLeft, bytes - i);
        payloadLeft -= step;
        i += step - 1;
      }
      if (inHead == FrameDescriptor.BYTES && payloadLeft == 0) {
        inHead = 0;
        ends.accept(i + 1L);
      }
    }
  }
}
