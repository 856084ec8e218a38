package io.github.roram.netserver;

import io.github.roram.storage.remote.protocol.FrameDescriptor;
import io.github.roram.storage.remote.protocol.FrameType;
import io.github.roram.store.ExtentBatch;
import io.netty.buffer.ByteBuf;
import java.io.IOException;

/**
 * Answers one read, a few frames at a time: when the client is slow to take it, or the server has
 * enough in memory, the job rests and holds no thread. Other jobs get their turn in between.
 */
final class ReadJob implements Runnable {

  /** Aim for the payload of a frame: large enough for the disk, small enough to share memory. */
  private static final int FRAME_BYTES = 256 << 10;

  /** Frames in a turn on the event loop, which are sent together. */
  private static final int FRAMES_ON_LOOP = 3;

  private final Replies replies;
  private final ReadTurns turns;
  private final Volume.Holder holder;
  private final Volume volume;
  private final long requestId;
  private final ExtentCursor cursor;
  private final int extents;
  private final int frameBytes;

  /**
   * A read that was admitted.
   *
   * @param holder the connection that asks
   * @param maxPayloadBytes longest payload of a frame
   */
  ReadJob(
      Replies replies,
      ReadTurns turns,
      Volume.Holder holder,
      Volume volume,
      long requestId,
      ExtentBatch request,
      int maxPayloadBytes) {
    this.replies = replies;
    this.turns = turns;
    this.holder = holder;
    this.volume = volume;
    this.requestId = requestId;
    extents = request.extents();
    cursor = new ExtentCursor(request);
    int most = Math.min(FRAME_BYTES, maxPayloadBytes);
    int unit = request.unitBytes();
    frameBytes = unit > most ? most : most / unit * unit; // whole units, so that none is copied
  }

  /** Whether the next turn is to be on the event loop. */
  boolean isForLoop() {
    return volume.readsOnLoop(extents);
  }

  @Override
  public void run() {
    int frames = turns.isOnLoop() ? FRAMES_ON_LOOP : 1;
    boolean goesOn = true;
    while (goesOn && frames-- > 0) {
      goesOn = answerFrame();
    }
    replies.flush();
    if (goesOn) {
      turns.resumeWhenWritable(this);
    }
  }

  /** Answers a frame; false if the job ended, or rests and perhaps goes on already. */
  private boolean answerFrame() {
    if (!replies.isOpen()) {
      turns.ended(extents);
      return false;
    }
    int bytes = (int) Math.min(frameBytes, cursor.left());
    if (!replies.takeMemory(bytes, () -> turns.resume(this))) {
      return false;
    }
    ByteBuf frame = null;
    try {
      volume.require(holder);
      frame = replies.newFrame(FrameDescriptor.BYTES + bytes);
      readInto(frame, bytes);
    } catch (IOException | RequestException | RuntimeException | Error e) {
      if (frame != null) {
        frame.release();
      }
      replies.giveMemory(bytes);
      try {
        replies.error(requestId, volume.explain(holder, e));
      } finally {
        turns.ended(extents);
      }
      return false;
    }
    boolean last = cursor.left() == 0;
    replies.data(requestId, frame, bytes, last);
    if (last) {
      turns.ended(extents);
    }
    return !last;
  }

  private void readInto(ByteBuf frame, int bytes) throws IOException {
    frame.writerIndex(FrameDescriptor.BYTES);
    ExtentBatch slice = cursor.next(bytes);
    ByteBuf target = frame;
    volume.read(slice, bytes, (first, units) -> target.writeBytes(units));
    ByteBuf payload = frame.slice(FrameDescriptor.BYTES, bytes);
    int flags = cursor.left() == 0 ? FrameDescriptor.LAST : 0;
    FrameDescriptor head = FrameDescriptor.head(FrameType.DATA, flags, requestId, payload);
    frame.writerIndex(0);
    head.encode(frame);
    frame.writerIndex(FrameDescriptor.BYTES + bytes);
  }
}
