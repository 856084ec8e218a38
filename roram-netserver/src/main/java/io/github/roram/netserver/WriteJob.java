package io.github.roram.netserver;

import io.github.roram.storage.remote.protocol.Frame;
import io.github.roram.storage.remote.protocol.FrameDescriptor;
import io.github.roram.storage.remote.protocol.ProtocolException;
import io.github.roram.store.ExtentBatch;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Takes one write, whose frames are stored as they arrive, in the order of the volume. One that was
 * refused still takes its frames, and drops them.
 */
final class WriteJob {

  private final Replies replies;
  private final Intake intake;
  private final Volume.Holder holder;
  private final @Nullable Volume volume;
  private final long requestId;
  private final ExtentCursor cursor;
  private final int extents;
  private @Nullable Throwable failure;
  private long expectedBytes;

  /**
   * A write, whose frames are yet to come.
   *
   * @param holder the connection that asks
   * @param refused why it is, or null
   */
  WriteJob(
      Replies replies,
      Intake intake,
      Volume.Holder holder,
      @Nullable Volume volume,
      long requestId,
      ExtentBatch request,
      @Nullable Exception refused) {
    this.replies = replies;
    this.intake = intake;
    this.holder = holder;
    this.volume = volume;
    this.requestId = requestId;
    extents = request.extents();
    cursor = new ExtentCursor(request);
    expectedBytes = refused == null ? request.bytes() : Long.MAX_VALUE;
    failure = refused;
  }

  /** Number of extents that are held for the request. */
  int extents() {
    return extents;
  }

  /** Event loop: checks that a frame fits the request. */
  void check(Frame frame) throws ProtocolException {
    int bytes = frame.head().payloadBytes();
    boolean last = frame.head().has(FrameDescriptor.LAST);
    if (bytes > expectedBytes || (last && failure == null && bytes < expectedBytes)) {
      throw new ProtocolException(
          "a write's data is " + bytes + " bytes where " + expectedBytes + " were left");
    }
    expectedBytes -= bytes;
  }

  /** Event loop: takes a frame, whose memory is accounted for. */
  void accept(Frame frame) {
    Volume target = volume;
    if (target == null) {
      store(frame);
    } else {
      target.serial().execute(() -> store(frame));
    }
  }

  private void store(Frame frame) {
    int bytes = frame.head().payloadBytes();
    boolean last = frame.head().has(FrameDescriptor.LAST);
    Volume target = volume;
    try {
      if (failure == null && target != null && bytes > 0) {
        target.require(holder);
        ByteBuf payload = frame.payload();
        ExtentBatch slice = cursor.next(bytes);
        target.write(
            slice,
            (first, units) -> {
              payload.getBytes(first, units);
            });
      }
    } catch (IOException | RequestException | RuntimeException | Error e) {
      failure = e;
    } finally {
      frame.release();
    }
    Throwable failed = failure;
    intake.stored(bytes);
    if (last) {
      try {
        answer(failed);
      } finally {
        intake.writeEnded(extents);
      }
    }
  }

  private void answer(@Nullable Throwable failed) {
    if (failed == null) {
      replies.done(requestId);
    } else {
      replies.error(requestId, failed);
    }
  }
}
