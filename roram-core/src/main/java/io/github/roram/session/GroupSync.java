package io.github.roram.session;

import io.github.roram.journal.Journal;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes what was recorded durable, in groups: one sync is under way at a time, and covers all that
 * was recorded when it began. Records are numbered in their order.
 *
 * <p>Calls are made on turns; syncs wait on a thread of their own.
 */
final class GroupSync {

  /** What learns that syncs ended, on a turn. */
  interface Listener {
    /** What was covered is durable. */
    void durable(long[] covered);

    /** What was recorded since the last sync may be lost. */
    void failed(Throwable cause);
  }

  private final Supplier<Journal.@Nullable Mark> marks;
  private final Executor turns;
  private final Executor thread = new SerialThread("roram-journal");
  private final Listener listener;
  private long recorded;
  private long awaited;
  private long durable;
  private boolean running;

  /**
   * Nothing recorded.
   *
   * @param marks the end of what was recorded; null without a journal
   */
  GroupSync(Supplier<Journal.@Nullable Mark> marks, Executor turns, Listener listener) {
    this.marks = marks;
    this.turns = turns;
    this.listener = listener;
  }

  /** Something was recorded; returns its number. */
  long recorded() {
    return ++recorded;
  }

  /** A record is waited for. */
  void await(long number) {
    awaited = Math.max(awaited, number);
  }

  /** All that was recorded is waited for. */
  void awaitAll() {
    await(recorded());
  }

  boolean isDurable(long number) {
    return number <= durable;
  }

  boolean isRunning() {
    return running;
  }

  /**
   * Begins a sync, if one is waited for and none is under way.
   *
   * @param covers what the listener learns to be durable
   */
  void begin(Supplier<long[]> covers) {
    if (running || awaited <= durable) {
      return;
    }
    Journal.Mark mark = marks.get();
    long number = recorded;
    if (mark == null) {
      durable = number;
      return;
    }
    running = true;
    long[] covered = covers.get();
    thread.execute(
        () -> {
          Throwable failure = sync(mark);
          turns.execute(() -> ended(number, covered, failure));
        });
  }

  /** Why it failed, whatever it was: who waits for it has to learn. */
  private static @Nullable Throwable sync(Journal.Mark mark) {
    try {
      mark.awaitDurable();
      return null;
    } catch (IOException | RuntimeException | Error e) {
      return e;
    }
  }

  private void ended(long number, long[] covered, @Nullable Throwable failure) {
    running = false;
    if (failure == null) {
      durable = number;
      listener.durable(covered);
    } else {
      awaited = durable;
      listener.failed(failure);
    }
  }
}
