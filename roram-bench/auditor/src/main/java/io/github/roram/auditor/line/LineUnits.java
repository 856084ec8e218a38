package io.github.roram.auditor.line;

import io.github.roram.storage.remote.protocol.FrameDescriptor;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;

/**
 * Finds where the units of one direction of a line end: TLS records, whose head is type u8, version
 * u16, length u16; or frames of the block protocol, see {@link FrameDescriptor}. Not thread safe.
 */
final class LineUnits {

  private static final int TLS_HEAD_BYTES = 5;
  private static final int TLS_LENGTH_OFFSET = 3;
  private static final int FRAME_LENGTH_OFFSET = 16;

  private final boolean tls;
  private final LongConsumer ended;
  private final ByteBuffer head;
  private long unitBytes;
  private long left;

  /**
   * Nothing has come yet.
   *
   * @param ended is told the length of each unit, head included, when all of it has come
   */
  LineUnits(boolean tls, LongConsumer ended) {
    this.tls = tls;
    this.ended = ended;
    head = ByteBuffer.allocate(tls ? TLS_HEAD_BYTES : FrameDescriptor.BYTES);
  }

  /** Some more bytes. */
  void add(byte[] bytes, int count) {
    int at = 0;
    while (at < count) {
      if (left == 0) {
        int taken = Math.min(head.remaining(), count - at);
        head.put(bytes, at, taken);
        at += taken;
        if (head.hasRemaining()) {
          return;
        }
        begin();
      }
      long taken = Math.min(left, count - at);
      at += (int) taken;
      left -= taken;
      if (left == 0) {
        ended.accept(unitBytes);
      }
    }
  }

  private void begin() {
    left =
        tls
            ? Short.toUnsignedLong(head.getShort(TLS_LENGTH_OFFSET))
            : Integer.toUnsignedLong(head.getInt(FRAME_LENGTH_OFFSET));
    unitBytes = head.capacity() + left;
    head.clear();
  }

  /** Nothing comes any more: what there is of a unit counts as one. */
  void end() {
    long some = left > 0 ? unitBytes - left : head.position();
    if (some > 0) {
      ended.accept(some);
    }
    left = 0;
    head.clear();
  }
}
