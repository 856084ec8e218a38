package io.github.roram.session;

import io.github.roram.journal.Journal;
import io.github.roram.threads.Futures;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Group commit for accesses that overlap, on top of {@link Journal}'s. One sync is in flight at a
 * time, and covers everything that was recorded when it was requested. The next one begins as soon
 * as it has ended, without waiting for a turn. Records are numbered in their order.
 *
 * <p>Methods are called on turns; syncs wait on a thread of their own.
 */
final class GroupSync {

  /** Receives the ends of syncs, on a turn. */
  interface Listener {
    /** Called when the covered records are durable. */
    void durable(long[] covered);

    /** Called when the records since the last sync may be lost. */
    void failed(Throwable cause);
  }

  /** A sync of the records up to a number. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Sync(Journal.Mark mark, long number, long[] covered) {}

  private final Supplier<Journal.@Nullable Mark> marks;
  private final Executor turns;
  private final Executor thread;
  private final Listener listener;

  /** The sync after the one in flight; covers what every sync requested before it was to cover. */
  private final AtomicReference<@Nullable Sync> next = new AtomicReference<>();

  private long recorded;
  private long awaited;
  private long askedFor;
  private long durable;
  private boolean running;

  /**
   * Creates a group sync without records.
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
   * Requests a sync if none requested so far covers every awaited record.
   *
   * @param covers returns what the listener is told to be durable
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
    } catch (RuntimeException | Error e) { // no thread is available
      turns.execute(() -> ended(first, e, true));
    }
  }

  private void syncAll() {
    Sync sync = next.getAndSet(null);
    while (sync != null) {
      Sync ended = sync;
      Throwable failure = Futures.failure(ended.mark::awaitDurable); // waiting calls learn of it
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
