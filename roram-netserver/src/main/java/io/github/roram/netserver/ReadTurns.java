package io.github.roram.netserver;

import io.netty.channel.Channel;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;

/**
 * The reads of one connection: a few are answered at a time, others wait for their turn; those
 * whose answers the client is slow to take rest. Methods are for the event loop unless they say
 * otherwise.
 */
final class ReadTurns {

  private final Channel channel;
  private final Executor threads;
  private final Intake intake;
  private final ArrayDeque<ReadJob> waiting = new ArrayDeque<>();
  private final ArrayDeque<ReadJob> resting = new ArrayDeque<>();
  private int mostActive;
  private int active;

  /** Those of a connection, of which at first so many are answered at a time. */
  ReadTurns(Channel channel, Executor threads, Intake intake, int atATime) {
    this.channel = channel;
    this.threads = threads;
    this.intake = intake;
    mostActive = atATime;
  }

  /** Any thread: answers so many at a time from now on. */
  void setAtATime(int reads) {
    channel
        .eventLoop()
        .execute(
            () -> {
              mostActive = reads;
              startSome();
            });
  }

  /** A read came. */
  void add(ReadJob job) {
    waiting.add(job);
    startSome();
  }

  /** Any thread: a read of so many extents was answered. */
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

  /** Whether the calling thread is the connection's event loop. */
  boolean isOnLoop() {
    return channel.eventLoop().inEventLoop();
  }

  private void startSome() {
    while (active < mostActive && !waiting.isEmpty()) {
      active++;
      resume(waiting.remove());
    }
  }

  /** The client has taken what was sent, or is gone, which the reads find out. */
  void wake() {
    while (!resting.isEmpty()) {
      resume(resting.remove());
    }
  }

  /** Any thread: goes on with a read once the client has taken what was sent. */
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

  /** Any thread: gives a read its turn, where {@link ReadPlace} says. */
  void resume(ReadJob job) {
    (job.isForLoop() ? channel.eventLoop() : threads).execute(job);
  }
}
