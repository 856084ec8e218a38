package io.github.roram.netserver;

import io.github.roram.storage.remote.protocol.FrameDescriptor;
import io.github.roram.storage.remote.protocol.FrameDescriptor.FrameType;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;

/**
 * The reads of one connection. A few are answered concurrently; the others wait for their turn. A
 * read pauses while its client is slow to receive the answer. Call methods on the event loop unless
 * they say otherwise.
 */
final class ReadQueue {

  private final Channel channel;
  private final Executor threads;
  private final ConnectionIntake intake;
  private final ArrayDeque<ReadJob> waiting = new ArrayDeque<>();
  private final ArrayDeque<ReadJob> resting = new ArrayDeque<>();
  private int mostActive;
  private int active;

  /**
   * Creates the queue of a connection, which at first answers {@code atATime} reads concurrently.
   */
  ReadQueue(Channel channel, Executor threads, ConnectionIntake intake, int atATime) {
    this.channel = channel;
    this.threads = threads;
    this.intake = intake;
    mostActive = atATime;
  }

  /** Sets how many reads are answered concurrently. May be called on any thread. */
  void setAtATime(int reads) {
    channel
        .eventLoop()
        .execute(
            () -> {
              mostActive = reads;
              startSome();
            });
  }

  /** Adds a read. */
  void add(ReadJob job) {
    waiting.add(job);
    startSome();
  }

  /** Ends an answered read of {@code extents}. May be called on any thread. */
  void ended(int extents) {
    channel
        .eventLoop()
        .execute(
            () -> {
              intake.discharge(extents);
              active--;
              startSome();
              intake.ended();
              intake.adjust();
            });
  }

  /** Returns whether the calling thread is the connection's event loop. */
  boolean isOnLoop() {
    return channel.eventLoop().inEventLoop();
  }

  private void startSome() {
    while (active < mostActive && !waiting.isEmpty()) {
      active++;
      resume(waiting.remove());
    }
  }

  /**
   * Resumes paused reads, because the client has received data, or has gone, which the reads
   * notice.
   */
  void wake() {
    while (!resting.isEmpty()) {
      resume(resting.remove());
    }
  }

  /** Resumes a read once the client has received what was sent. May be called on any thread. */
  void resumeWhenWritable(ReadJob job) {
    if (channel.isWritable()) {
      resume(job);
    } else {
      channel.eventLoop().execute(() -> restUnlessWritable(job));
    }
  }

  private void restUnlessWritable(ReadJob job) {
    if (channel.isWritable() || !channel.isActive()) {
      resume(job);
    } else {
      resting.add(job);
    }
  }

  /** Gives a read its turn, where {@link ReadPlace} says. May be called on any thread. */
  void resume(ReadJob job) {
    (job.isForLoop() ? channel.eventLoop() : threads).execute(job);
  }

  /**
   * Answers one read, a few frames at a time. While the client is slow to receive them, or the
   * server has enough in memory, the job pauses and occupies no thread. Other jobs run in between.
   */
  static final class ReadJob implements Runnable {

    /** Most frames of a turn on the event loop. */
    private static final int FRAMES_ON_LOOP = 3;

    private final Replies replies;
    private final ReadQueue turns;
    private final Volume.Holder holder;
    private final Volume volume;
    private final long requestId;
    private final ReadAnswer answer;
    private final int extents;
    private final int mostBytes;

    /**
     * Creates the job of an admitted read.
     *
     * @param holder the connection that asks
     * @param answer the answer to produce
     * @param extents number of extents that the read holds
     * @param maxPayloadBytes longest payload of a frame
     */
    ReadJob(
        Replies replies,
        ReadQueue turns,
        Volume.Holder holder,
        Volume volume,
        long requestId,
        ReadAnswer answer,
        int extents,
        int maxPayloadBytes) {
      this.replies = replies;
      this.turns = turns;
      this.holder = holder;
      this.volume = volume;
      this.requestId = requestId;
      this.answer = answer;
      this.extents = extents;
      mostBytes = Math.min(ReadAnswer.FRAME_BYTES, maxPayloadBytes);
    }

    /** Returns whether the next turn should run on the event loop. */
    boolean isForLoop() {
      return answer.isShort() && volume.readsOnLoop(extents);
    }

    @Override
    public void run() {
      int frames = turns.isOnLoop() ? FRAMES_ON_LOOP : 1;
      boolean goesOn = true;
      while (goesOn && frames-- > 0) {
        goesOn = answerFrame();
        // Flush each frame: TLS encrypts everything that waits before it sends any of it.
        replies.flush();
      }
      if (goesOn) {
        turns.resumeWhenWritable(this);
      }
    }

    /**
     * Sends a frame; false if the job has ended, or is paused and may already have been resumed by
     * another thread.
     */
    private boolean answerFrame() {
      if (!replies.isOpen()) {
        turns.ended(extents);
        return false;
      }
      int bytes = answer.nextBytes(mostBytes);
      if (!replies.takeMemory(bytes, () -> turns.resume(this))) {
        return false;
      }
      ByteBuf frame = null;
      try {
        volume.require(holder);
        frame = replies.newFrame(FrameDescriptor.BYTES + bytes);
        readInto(frame, bytes);
        volume.require(holder); // what was read may be of who has the volume now
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
      boolean last = answer.isComplete();
      replies.data(requestId, frame, bytes, last);
      if (last) {
        turns.ended(extents);
      }
      return !last;
    }

    private void readInto(ByteBuf frame, int bytes) throws IOException {
      frame.writerIndex(FrameDescriptor.BYTES);
      answer.read(volume, bytes, frame);
      ByteBuf payload = frame.slice(FrameDescriptor.BYTES, bytes);
      int flags = answer.isComplete() ? FrameDescriptor.LAST : 0;
      FrameDescriptor head = FrameDescriptor.head(FrameType.DATA, flags, requestId, payload);
      frame.writerIndex(0);
      head.encode(frame);
      frame.writerIndex(FrameDescriptor.BYTES + bytes);
    }
  }

  /** Walks through the bytes of a request, slice by slice. For use by one thread at a time. */
  static final class ExtentCursor {

    private final ExtentBatch request;
    private final ExtentBatch slice = new ExtentBatch();
    private int extent;
    private long inExtent;
    private long left;

    ExtentCursor(ExtentBatch request) {
      this.request = request;
      left = request.bytes();
    }

    /** Returns the number of bytes still to come. */
    long left() {
      return left;
    }

    /** Returns the next bytes as extents of single bytes, valid until the next call. */
    ExtentBatch next(int bytes) {
      slice.reset(IoPhase.META, ExtentBatch.NO_TREE, 1);
      int missing = bytes;
      while (missing > 0) {
        int step = (int) Math.min(missing, request.bytes(extent) - inExtent);
        slice.add(request.offset(extent) + inExtent, step);
        missing -= step;
        inExtent += step;
        if (inExtent == request.bytes(extent)) {
          extent++;
          inExtent = 0;
        }
      }
      left -= bytes;
      return slice;
    }
  }
}
