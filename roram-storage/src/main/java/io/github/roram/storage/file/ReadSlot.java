package io.github.roram.storage.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * One piece that is read ahead, and the memory it is read into.
 *
 * <p>One thread reads at a time; who asks for the outcome must have seen it done.
 */
final class ReadSlot {

  private final Alignment alignment;
  private ByteBuffer buffer = ByteBuffer.allocateDirect(0);
  private int firstUnit;
  private long offset;
  private int bytes;
  private boolean done;
  private @Nullable Throwable failure;

  ReadSlot(Alignment alignment) {
    this.alignment = alignment;
  }

  /** Says what to read. */
  void begin(int newFirstUnit, long newOffset, int newBytes) {
    firstUnit = newFirstUnit;
    offset = newOffset;
    bytes = newBytes;
    done = false;
    failure = null;
  }

  /** Reads, and keeps a failure for later; returns how long it took. */
  @SuppressWarnings("CatchingUnchecked")
  long read(SegmentFiles files) {
    long start = System.nanoTime();
    try {
      int room = alignment.room(bytes);
      if (buffer.capacity() < room) {
        buffer = BufferPool.allocate(alignment, room);
        start = System.nanoTime();
      }
      alignment.read(files, buffer, offset, bytes);
    } catch (Throwable e) { // whatever it is, the calling thread throws it
      failure = e;
    }
    return System.nanoTime() - start;
  }

  /** Marks the piece as read, or failed. */
  void end() {
    done = true;
  }

  boolean isDone() {
    return done;
  }

  boolean hasFailed() {
    return failure != null;
  }

  void throwFailure() throws IOException {
    if (failure instanceof IOException e) {
      throw e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
  }

  int firstUnit() {
    return firstUnit;
  }

  int bytes() {
    return bytes;
  }

  /** What was read. */
  ByteBuffer units() {
    return buffer.order(ByteOrder.BIG_ENDIAN);
  }
}
