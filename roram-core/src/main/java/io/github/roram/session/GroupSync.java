package io.github.roram.session;

import io.github.roram.journal.Journal;
import io.github.roram.threads.Futures;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Group commit for accesses that overlap, on {@link Journal}'s: one sync is under way at a time,
 * and covers all that was recorded when it was asked for. The next begins as soon as it ended,
 * without waiting for a turn. Records are numbered in their order.
 *
 * <p>Calls are made on turns; syncs wait on a thread of their own.
 */
final class GroupSync {

  /** What learns that syncs ended, on a turn. */
  interface Listener {
    /** Called when the covered records are durable. */
    void durable(long[] covered);

    /** Called when the records since the last sync may be lost. */
    void failed(Throwable cause);
  }

  /** A sync of what was recorded up to a number. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Sync(Journal.Mark mark, long number, long[] covered) {}

  private final Supplier<Journal.@Nullable Mark> marks;
  private final Executor turns;
  private final Executor thread;
  private final Listener listener;

  /** Comes after the one that is under way; covers what any before it was to cover. */
  private final AtomicReference<@Nullable Sync> next = new AtomicReference<>();

  private long recorded;
  private long awaited;
  private long askedFor;
  private long durable;
  private boolean running;

  /**
   * Creates the object before the first record.
   *
   * @param marks returns the end of the records; null without a journal
   * @param thread runs one sync after another, outside of turns
   */
  GroupSync(
      Supplier<Journal.@Nullable Mark> marks, Executor turns, Executor thread, Listener listener) {
    this.marks = marks;
    this.thread = thread;
    this.turns = turns;
    this.listener = listener;
  }

  /** Counts a new record; returns its number. */
  long recorded() {
    return ++recorded;
  }

  /** Requests that a record become durable. */
  void await(long number) {
    awaited = Math.max(awaited, number);
  }

  /** Requests that all records become durable. */
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
   * Asks for a sync, if something is waited for that none which was asked for covers.
   *
   * @param covers what the listener learns to be durable
   */
  void begin(Supplier<long[]> covers) {
    if (awaited <= askedFor) {
      return;
    }
    Journal.Mark mark = marks.get();
    askedFor = recorded;
    if (mark == null) {
      durable = recorded;
      return;
    }
    Sync sync = new Sync(mark, recorded, covers.get());
    next.set(sync);
    if (!running) {
      begin(sync);
    }
  }

  private void begin(Sync first) {
    running = true;
    try {
      thread.execute(this::syncAll);
    } catch (RuntimeException | Error e) { // no more threads to be had
      turns.execute(() -> ended(first, e, true));
    }
  }

  private void syncAll() {
    Sync sync = next.getAndSet(null);
    while (sync != null) {
      Sync ended = sync;
      Throwable failure = Futures.failure(ended.mark::awaitDurable); // whoever waits has to learn
      Sync following = failure == null ? next.getAndSet(null) : null;
      turns.execute(() -> ended(ended, failure, following == null));
      sync = following;
    }
  }

  private void ended(Sync sync, @Nullable Throwable failure, boolean isLast) {
    running = !isLast;
    if (failure == null) {
      durable = sync.number;
      Sync following = next.get();
      if (isLast && following != null) {
        begin(following);
      }
      listener.durable(sync.covered);
    } else {
      next.set(null);
      awaited = durable;
      askedFor = durable;
      listener.failed(failure);
    }
  }
}
