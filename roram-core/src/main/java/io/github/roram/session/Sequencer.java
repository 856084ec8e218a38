package io.github.roram.session;

import io.github.roram.Durability;
import io.github.roram.OverlapStats;
import io.github.roram.StashOverflowException;
import io.github.roram.engine.Engine;
import io.github.roram.engine.Overlap;
import io.github.roram.engine.Overlapping;
import io.github.roram.engine.RepeatedRead;
import io.github.roram.engine.Transfer;
import io.github.roram.journal.Journal;
import io.github.roram.object.VaultTakenException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes calls from their beginning to their answer (TaoStore's sequencer, for all schemes). Calls
 * begin in order when there is room. Their reads start when the records of what they show are as
 * durable as the mode requires. They complete in order, and are answered in order when their
 * effects are as durable as the mode requires. A trim is done when all calls before it are
 * complete; nothing waits for it, and it records nothing.
 *
 * <p>An access while no other is in flight is made alone, as if by a caller of {@link OpenOram}: in
 * one go, with its evictions. All accesses are made alone if they take no longer than handing them
 * over would, or if the engine cannot overlap them. If accesses take long, none is made alone: its
 * evictions are better made concurrently with the next read.
 *
 * <p>After opening and after a failure, no call begins until everything in flight has ended and the
 * engine has completed its pending work, one thing after another. When a read is given up, the
 * calls after it fail, too, and the repetition shows again what they have shown.
 *
 * <p>Everything is done on turns, one after another.
 */
final class Sequencer implements GroupSync.Listener {

  private static final Logger LOG = LoggerFactory.getLogger(Sequencer.class);

  /** A part of a call: a read of an access; a flush or a trim if {@code read} is null. */
  private record Part(Call call, Overlap.@Nullable Read read, long record) {}

  private Engine engine;
  private final Lifecycle lifecycle;
  private Overlap overlap;
  private final boolean overlaps;
  private final boolean mayBeAlone;
  private final int mostReads;
  private final boolean syncsReads;
  private final boolean syncsAccesses;
  private final OpenOram oram;
  private final Turns turns;
  private final Consumer<Call> onAnswer;
  private final GroupSync journal;

  /** Calls that have not been answered, in order. */
  private final Deque<Call> calls = new ArrayDeque<>();

  /** Calls that have not begun, or have begun only in part, in order. */
  private final Deque<Call> waiting = new ArrayDeque<>();

  /** Reads, trims and flushes that have begun and are not complete, in order. */
  private final Deque<Part> parts = new ArrayDeque<>();

  /** Number of {@link #parts} that count against {@link #mostReads}. */
  private int takingRoom;

  /** Parts whose reads have not started, in order. */
  private final Deque<Part> unstarted = new ArrayDeque<>();

  /** Whether the engine must complete pending work before a call begins. */
  private boolean unsettled = true;

  /** Whether a turn that may wait has been requested and has not begun. */
  private boolean goesOnLater;

  /** Number of callers of {@link #hold}; while it is positive, no call begins. */
  private int held;

  private final AccessTime aloneTime = new AccessTime();

  private @Nullable Call closing;
  private boolean closed;

  /**
   * Creates a sequencer without calls.
   *
   * @param mayBeAlone whether accesses may be made alone
   * @param onAnswer receives each call that is to be answered, in order
   */
  Sequencer(OpenOram oram, Turns turns, boolean mayBeAlone, Consumer<Call> onAnswer) {
    this.oram = oram;
    this.turns = turns;
    this.mayBeAlone = mayBeAlone;
    this.onAnswer = onAnswer;
    engine = oram.engine();
    lifecycle = oram.lifecycle();
    overlaps = mayBeAlone ? oram.overlaps() : oram.canOverlap();
    overlap = newOverlap();
    Durability durability = oram.context().options().durability();
    syncsAccesses = durability == Durability.SYNC;
    syncsReads = syncsAccesses || durability == Durability.FLUSH;
    mostReads = oram.context().options().inFlight();
    journal = new GroupSync(lifecycle::recordedMark, this::inTurn, this::sync, this);
  }

  private Overlap newOverlap() {
    return overlaps
        ? oram.able(Overlapping.class, "makes no accesses that overlap")
            .overlap(this::inTurn, () -> guarded(this::goOn)) // a future would swallow an exception
        : Overlap.NONE;
  }

  /**
   * Switches to the ORAM's new engine, which continues where the old one stopped. The sequencer
   * must be held, with nothing in flight.
   *
   * @return the old engine's overlap, which the caller closes afterwards, while accesses continue
   */
  Overlap engineChanged() {
    Overlap before = overlap;
    before.giveUp();
    engine = oram.engine();
    overlap = newOverlap();
    return before;
  }

  private void sync(Runnable sync) {
    turns.sync(sync, overlaps && waiting.isEmpty() && parts.isEmpty());
  }

  /** Returns the engine that makes the accesses. */
  Engine engine() {
    return engine;
  }

  /** Submits a call, and returns its future. */
  CompletableFuture<Void> submit(Call call) {
    Runnable turn = () -> take(call);
    if (aloneTime.isShort()) {
      turns.executeHere(turn);
    } else {
      turns.execute(turn);
    }
    return call.made();
  }

  /** Runs a task on a turn. An unexpected exception fails the calls, and leaves none unanswered. */
  private void inTurn(Runnable task) {
    turns.execute(
        () ->
            guarded(
                () -> {
                  task.run();
                  goOnIfIdle();
                }));
  }

  /**
   * Continues if nothing is left in flight: an eviction that begins to wait for the journal becomes
   * idle without a notification.
   */
  private void goOnIfIdle() {
    boolean isAwaited = closing != null || !waiting.isEmpty();
    if (isAwaited && isDraining() && isIdle()) {
      goOn();
    }
  }

  @SuppressWarnings("CatchingUnchecked")
  private void guarded(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      LOG.error(
          "accesses under way fail: unless threads or memory ran out, that is a bug of the ORAM:"
              + " please report it",
          e);
      waiting.forEach(call -> call.failure = e);
      failed(e);
    }
  }

  /** Accepts a call. For use on a turn. */
  void take(Call call) {
    guarded(() -> add(call));
  }

  private void add(Call call) {
    if (closing != null || closed) {
      call.failure = new ClosedChannelException();
    } else {
      waiting.add(call);
    }
    calls.add(call);
    goOn();
  }

  /** Makes all progress that is possible now. */
  private void goOn() {
    completeArrived();
    unsettled |= mustSettle();
    begin();
    if (!isDraining()) {
      overlap.evict();
      if (overlap.awaitsDurable()) {
        journal.awaitAll();
      }
    }
    startReads();
    answer();
    journal.begin(overlap::recorded);
    close();
  }

  private boolean mustSettle() {
    return overlap.hasFailed() || lifecycle.mustMend();
  }

  /**
   * Returns whether this turn may wait. If not, requests one that may, which makes the progress.
   */
  private boolean mayWait() {
    boolean may = turns.mayWait();
    if (!may && !goesOnLater) {
      turns.later(
          () -> {
            goesOnLater = false;
            guarded(this::goOn);
          });
      goesOnLater = true; // it runs after this turn, if there is a thread for it
    }
    return may;
  }

  private void completeArrived() {
    for (Part part = parts.peek(); part != null; part = parts.peek()) {
      Overlap.@Nullable Read read = part.read();
      if (part.call().isFlush() && !mayWait()) {
        return;
      }
      Throwable failure = read == null ? null : read.failure();
      if (failure != null) {
        failBegun(causeOf(failure));
      } else if (read != null && !read.hasArrived()) {
        return;
      } else {
        parts.remove();
        takingRoom -= takesRoom(part.call()) ? 1 : 0;
        complete(part.call(), read);
      }
    }
  }

  /** Completes the oldest part. */
  private void complete(Call call, Overlap.@Nullable Read read) {
    try {
      if (call.trim != null) {
        trim(call, call.trim);
      } else if (read == null) {
        flush(call);
      } else {
        read.complete();
        lifecycle.afterAccess();
        applied(call);
      }
    } catch (IOException | RuntimeException e) {
      Throwable cause = causeOf(e);
      call.failure = cause;
      failBegun(cause);
    }
  }

  private void applied(Call call) {
    call.applied++;
    call.done = call.applied == call.reads;
    long record = journal.recorded();
    oram.count(1, call.done && call.transfer != null ? call.transfer.blocks() : 0);
    if (call.done && syncsAccesses) {
      await(call, record);
    }
  }

  private void await(Call call, long record) {
    call.record = record;
    journal.await(record);
  }

  /**
   * Trims when all accesses before it are complete and none after it is, so that later ones find
   * the result.
   */
  private void trim(Call call, Call.Trim trim) throws IOException {
    call.trimmed = lifecycle.trim(trim.first(), trim.count());
    call.done = true;
  }

  private void flush(Call call) throws IOException {
    Journal.Mark mark = lifecycle.flushMark(false);
    call.done = true;
    if (mark != null) {
      await(call, journal.recorded());
    }
  }

  private Throwable causeOf(Throwable failure) {
    try {
      lifecycle.records().checkNotTaken(failure);
      return failure;
    } catch (VaultTakenException e) {
      return e;
    }
  }

  /** Fails all calls that have begun and are not complete. */
  private void failBegun(Throwable cause) {
    Throwable own = cause;
    for (Part part : parts) {
      if (part.call().failure == null) {
        part.call().failure = own;
      }
      own = new IOException("given up, because an access before it failed: " + cause, cause);
    }
    waiting.removeIf(call -> call.begun > 0 || call.failure != null);
    for (Call call : calls) {
      if (call.begun > 0 && !call.done && call.failure == null) {
        call.failure = own;
      }
    }
    parts.clear();
    takingRoom = 0;
    unstarted.clear();
    overlap.giveUp();
    unsettled = true;
  }

  /** Returns whether no call may begin until everything in flight has ended. */
  private boolean isDraining() {
    Call next = waiting.peek();
    return unsettled
        || closed
        || held > 0
        || (closing != null && calls.isEmpty())
        || (next != null && next.isFlush() && !syncsReads);
  }

  private boolean isIdle() {
    return parts.isEmpty() && overlap.isIdle() && !journal.isRunning();
  }

  /** Begins calls as long as there is room. */
  private void begin() {
    for (Call call = waiting.peek(); call != null; call = waiting.peek()) {
      if (held > 0 || (isDraining() && !isIdle())) {
        return;
      }
      boolean alone = goesAlone(call);
      if ((alone ? !aloneTime.isShort() : unsettled || call.isFlush()) && !mayWait()) {
        return;
      }
      try {
        if (alone) {
          makeAlone(call);
        } else if (!beginNext(call)) {
          return;
        }
      } catch (IOException | RuntimeException | Error e) {
        // Errors, too: otherwise the caller would wait forever for an answer.
        waiting.remove(call);
        Throwable cause = causeOf(e);
        call.failure = cause;
        if (call.begun > 0 || !(e instanceof RuntimeException)) {
          failBegun(cause);
        }
      }
    }
  }

  /**
   * Returns whether an access is made alone. This depends on the number of calls in flight, and on
   * how long earlier accesses took that were made alone; an observer of the store and of the
   * vault's disk sees both.
   */
  private boolean goesAlone(Call call) {
    if (call.transfer == null || call.begun > 0 || (overlaps && !mayBeAlone)) {
      return false;
    }
    if (!overlaps) {
      return true;
    }
    boolean isIdle = parts.isEmpty() && overlap.isIdle();
    if (!isIdle || aloneTime.isShort()) {
      return isIdle;
    }
    boolean isAlone = calls.size() == 1 && !journal.isRunning();
    if (isAlone && aloneTime.isLong()) {
      aloneTime.wasAvoided();
      return false;
    }
    return isAlone;
  }

  /**
   * Makes an access in one go. An access that fails stays pending, and the next one completes it.
   */
  private void makeAlone(Call call) throws IOException {
    Transfer transfer = Objects.requireNonNull(call.transfer);
    call.begun = 1;
    call.reads = 1;
    waiting.remove();
    long start = oram.threads().nanoTime();
    repeat(transfer);
    aloneTime.took(oram.threads().nanoTime() - start);
    // Its evictions may have failed, which does not fail the access.
    unsettled |= mustSettle();
    call.done = true;
    if (syncsAccesses) {
      await(call, journal.recorded());
    }
  }

  /** Makes an access, and repeats it if the store fails, as overlapping reads are repeated. */
  private void repeat(Transfer transfer) throws IOException {
    for (int tries = overlaps ? RepeatedRead.TRIES : 1; ; tries--) {
      try {
        oram.makeAlone(transfer);
        return;
      } catch (IOException e) {
        if (tries == 1 || !lifecycle.isOpen()) {
          throw e;
        }
      }
    }
  }

  /**
   * Returns whether a call counts against {@link #mostReads}. A trim does not, so that no access
   * waits because of it, which would show.
   */
  private static boolean takesRoom(Call call) {
    return call.trim == null;
  }

  private void begun(Part part) {
    parts.add(part);
    takingRoom += takesRoom(part.call()) ? 1 : 0;
  }

  /** Begins the next read of an access, or a trim or flush; returns false if there is no room. */
  private boolean beginNext(Call call) throws IOException {
    Transfer transfer = call.transfer;
    if (transfer == null) {
      waiting.remove();
      call.begun = 1;
      begun(new Part(call, null, 0));
      completeArrived();
      return true;
    }
    if (unsettled) {
      settle();
    }
    if (takingRoom >= mostReads || !overlap.hasRoom() || !stashHasRoom()) {
      return false;
    }
    lifecycle.accessed();
    call.reads = overlap.reads(transfer);
    int number = call.begun++;
    Overlap.Read read = overlap.begin(transfer, number);
    if (call.begun == call.reads) {
      waiting.remove();
    }
    Part part = new Part(call, read, journal.recorded());
    begun(part);
    unstarted.add(part);
    if (syncsReads) {
      journal.await(part.record());
    }
    return true;
  }

  /** Completes the work that an earlier process or a failure left. Nothing is in flight. */
  private void settle() throws IOException {
    lifecycle.ready();
    engine.completePending();
    lifecycle.syncJournal();
    overlap.resume();
    unsettled = false;
  }

  /**
   * Returns whether the stash is within its limit; if not, evictions in flight may make room.
   *
   * @throws StashOverflowException if it is not, and nothing is in flight
   */
  private boolean stashHasRoom() {
    try {
      engine.checkRoom();
      return true;
    } catch (StashOverflowException e) {
      if (isIdle()) {
        throw e;
      }
      return false;
    }
  }

  private void startReads() {
    for (Part part = unstarted.peek(); part != null; part = unstarted.peek()) {
      if (syncsReads && !journal.isDurable(part.record())) {
        return;
      }
      unstarted.remove();
      if (part.read() != null) {
        lifecycle.showing();
        part.read().start();
      }
    }
  }

  private void answer() {
    for (Call call = calls.peek(); call != null; call = calls.peek()) {
      boolean answered = call.failure != null || (call.done && journal.isDurable(call.record));
      if (!answered) {
        return;
      }
      onAnswer.accept(calls.remove());
    }
  }

  @Override
  public void durable(long[] covered) {
    overlap.durable(covered);
    goOn();
  }

  @Override
  public void failed(Throwable thrown) {
    Throwable cause = causeOf(thrown);
    for (Call call : calls) {
      if (call.done && !journal.isDurable(call.record) && call.failure == null) {
        call.failure = cause;
      }
    }
    failBegun(cause);
    goOn();
  }

  /** Returns whether nothing is in flight, and no call waits. */
  boolean isQuiet() {
    return calls.isEmpty() && closing == null && isIdle();
  }

  /** Returns the latest call that has not been answered; null if there is none. */
  @Nullable Call newest() {
    return calls.peekLast();
  }

  /** Begins no more calls until this is undone; returns whether nothing is in flight. */
  boolean hold() {
    held++;
    return isIdle();
  }

  /** Undoes a {@link #hold}. */
  void release() {
    held--;
  }

  /** Undoes a {@link #hold}, and continues. */
  void released() {
    release();
    guarded(this::goOn);
  }

  /** Returns a view of the state once everything that can be done now has been done. */
  <T> T look(Supplier<T> view) {
    return turns.look(view);
  }

  OverlapStats overlapStats() {
    return overlap.stats();
  }

  /**
   * Closes the ORAM when all calls have been answered and nothing is in flight. The future
   * completes after those of all calls; if it fails, {@link Lifecycle#close} says whether the ORAM
   * is open.
   */
  CompletableFuture<Void> closeWhenIdle() {
    Call end = Call.end();
    inTurn(
        () -> {
          closing = end;
          goOn();
        });
    return end.made();
  }

  private void close() {
    Call end = closing;
    if (end == null || !calls.isEmpty() || !isIdle()) {
      return;
    }
    try {
      if (!mayWait()) {
        return;
      }
      lifecycle.close();
      closed = true;
    } catch (IOException | RuntimeException | Error e) {
      closed = !lifecycle.isOpen();
      // A close that was begun and failed is mended before the next access.
      unsettled = true;
      end.failure = e;
    }
    closing = null;
    onAnswer.accept(end);
  }

  /** Ends all requests to the store. Must not be called on a turn. */
  void end() {
    overlap.close();
  }
}
