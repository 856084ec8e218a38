package io.github.roram.session;

import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.OramStats;
import io.github.roram.OverlapStats;
import io.github.roram.StashOverflowException;
import io.github.roram.engine.Engine;
import io.github.roram.engine.Overlap;
import io.github.roram.engine.Overlapping;
import io.github.roram.engine.Transfer;
import io.github.roram.journal.Journal;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of calls that overlap: each is begun, in order, when there is room; its reads are
 * started when what they show is durable as far as the mode asks for; they are completed in order;
 * and it is answered, in order, when what it did is durable as far as the mode asks for. A trim is
 * done when all before it is complete; nothing waits for it and nothing is recorded by it.
 *
 * <p>After a failure, and at first, nothing is begun before all that was under way has ended and
 * the engine has made what is pending, one after another. A read that is given up takes those
 * behind it with it: their calls fail too, and what they showed is shown again by that.
 *
 * <p>All is done on turns, one after another.
 */
final class OverlappedCalls implements GroupSync.Listener {

  /** A read of a call; a null one is a flush or a trim. */
  private record Part(OverlappedCall call, Overlap.@Nullable Read read, long record) {}

  private final Engine engine;
  private final Lifecycle lifecycle;
  private final Overlap overlap;
  private final int mostReads;
  private final boolean syncsReads;
  private final boolean syncsAccesses;
  private final Executor turns;
  private final Executor answers;
  private final Consumer<OverlappedCall> onAnswer;
  private final GroupSync journal;

  /** All that are not answered, in order. */
  private final Deque<OverlappedCall> calls = new ArrayDeque<>();

  /** Those of them that are not begun, or in part. */
  private final Deque<OverlappedCall> waiting = new ArrayDeque<>();

  /** What was begun and is not complete, in order. */
  private final Deque<Part> parts = new ArrayDeque<>();

  /** How many of them count against the most. */
  private int takingRoom;

  /** Those of them that were not started. */
  private final Deque<Part> unstarted = new ArrayDeque<>();

  /** Whether the engine has to make what is pending before anything is begun. */
  private boolean unsettled = true;

  private @Nullable CompletableFuture<Void> closing;
  private boolean closed;
  private long accesses;
  private long blocksAccessed;

  /**
   * No calls yet.
   *
   * @param answers completes futures, in order
   * @param onAnswer is told of a call before it is answered
   */
  OverlappedCalls(
      OpenOram oram, Executor turns, Executor answers, Consumer<OverlappedCall> onAnswer) {
    engine = oram.engine();
    lifecycle = oram.lifecycle();
    this.turns = turns;
    this.answers = answers;
    this.onAnswer = onAnswer;
    Overlapping overlapping = oram.able(Overlapping.class, "makes no accesses that overlap");
    if (!overlapping.canOverlap()) {
      throw new ConfigurationException(
          "accesses cannot overlap where the position map is on the store: make them one after"
              + " another");
    }
    overlap = overlapping.overlap(turns, this::goOn);
    Durability durability = oram.context().options().durability();
    syncsAccesses = durability == Durability.SYNC;
    syncsReads = syncsAccesses || durability == Durability.FLUSH;
    mostReads = oram.context().options().inFlight();
    journal = new GroupSync(lifecycle::recordedMark, turns, this);
  }

  /** Takes a call in. */
  void add(OverlappedCall call) {
    if (closing != null || closed) {
      call.failure = new ClosedChannelException();
    } else {
      waiting.add(call);
    }
    calls.add(call);
    goOn();
  }

  /** Does whatever can be done. */
  private void goOn() {
    completeArrived();
    unsettled |= overlap.hasFailed();
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

  private void completeArrived() {
    for (Part part = parts.peek(); part != null; part = parts.peek()) {
      Overlap.@Nullable Read read = part.read();
      Throwable failure = read == null ? null : read.failure();
      if (failure != null) {
        failBegun(failure);
      } else if (read != null && !read.hasArrived()) {
        return;
      } else {
        parts.remove();
        takingRoom -= takesRoom(part.call()) ? 1 : 0;
        complete(part.call(), read);
      }
    }
  }

  /** Completes the oldest read, or the flush or trim that comes next. */
  private void complete(OverlappedCall call, Overlap.@Nullable Read read) {
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
      call.failure = e;
      failBegun(e);
    }
  }

  private void applied(OverlappedCall call) {
    accesses++;
    call.applied++;
    call.done = call.applied == call.reads;
    long record = journal.recorded();
    if (call.done && call.transfer != null) {
      blocksAccessed += call.transfer.blocks();
    }
    if (call.done && syncsAccesses) {
      await(call, record);
    }
  }

  private void await(OverlappedCall call, long record) {
    call.record = record;
    journal.await(record);
  }

  /** All accesses before it are complete, and none after it: they find what it leaves. */
  private void trim(OverlappedCall call, OverlappedCall.Trim trim) throws IOException {
    call.trimmed = lifecycle.trim(trim.first(), trim.count());
    call.done = true;
  }

  private void flush(OverlappedCall call) throws IOException {
    Journal.Mark mark = lifecycle.flushMark(false);
    call.done = true;
    if (mark != null) {
      await(call, journal.recorded());
    }
  }

  /** Fails all calls that were begun and are not complete. */
  private void failBegun(Throwable cause) {
    Throwable own = cause;
    for (Part part : parts) {
      if (part.call().failure == null) {
        part.call().failure = own;
      }
      own = new IOException("given up, because an access before it failed: " + cause, cause);
    }
    waiting.removeIf(call -> call.begun > 0 || call.failure != null);
    for (OverlappedCall call : calls) {
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

  /** Whether nothing more is begun until what is under way has ended. */
  private boolean isDraining() {
    OverlappedCall next = waiting.peek();
    return unsettled
        || closed
        || (closing != null && calls.isEmpty())
        || (next != null && next.isFlush() && !syncsReads);
  }

  private boolean isIdle() {
    return parts.isEmpty() && overlap.isIdle() && !journal.isRunning();
  }

  /** Begins calls as long as there is room. */
  private void begin() {
    for (OverlappedCall call = waiting.peek(); call != null; call = waiting.peek()) {
      if (isDraining() && !isIdle()) {
        return;
      }
      try {
        if (!beginNext(call)) {
          return;
        }
      } catch (IOException | RuntimeException e) {
        waiting.remove(call);
        call.failure = e;
        if (call.begun > 0 || e instanceof IOException) {
          failBegun(e);
        }
      }
    }
  }

  /** A trim shows nowhere: no access waits for it, or for less when there was one. */
  private static boolean takesRoom(OverlappedCall call) {
    return call.trim == null;
  }

  private void begun(Part part) {
    parts.add(part);
    takingRoom += takesRoom(part.call()) ? 1 : 0;
  }

  /** Begins a read of a call, or what is no access; false if there is no room for it. */
  private boolean beginNext(OverlappedCall call) throws IOException {
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

  /** Makes what an earlier process or a failure left. Nothing is under way. */
  private void settle() throws IOException {
    lifecycle.ready();
    engine.completePending();
    lifecycle.syncJournal();
    overlap.resume();
    unsettled = false;
  }

  /** Whether the stash is within its limit; if not, evictions that are under way may help. */
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
    for (OverlappedCall call = calls.peek(); call != null; call = calls.peek()) {
      boolean answered = call.failure != null || (call.done && journal.isDurable(call.record));
      if (!answered) {
        return;
      }
      OverlappedCall first = calls.remove();
      onAnswer.accept(first);
      answers.execute(first::answer);
    }
  }

  @Override
  public void durable(long[] covered) {
    overlap.durable(covered);
    goOn();
  }

  @Override
  public void failed(Throwable cause) {
    for (OverlappedCall call : calls) {
      if (call.done && !journal.isDurable(call.record) && call.failure == null) {
        call.failure = cause;
      }
    }
    failBegun(cause);
    goOn();
  }

  OramStats stats() {
    return new OramStats(accesses, blocksAccessed, 0, engine.treeStats());
  }

  OverlapStats overlapStats() {
    return overlap.stats();
  }

  /**
   * Closes when all calls are answered and nothing is under way. The future completes behind those
   * of all calls; if it fails the ORAM is still open.
   */
  CompletableFuture<Void> closeWhenIdle() {
    CompletableFuture<Void> end = new CompletableFuture<>();
    turns.execute(
        () -> {
          closing = end;
          goOn();
        });
    return end;
  }

  private void close() {
    CompletableFuture<Void> end = closing;
    if (end == null || !calls.isEmpty() || !isIdle()) {
      return;
    }
    closing = null;
    try {
      lifecycle.close();
      closed = true;
      answers.execute(() -> end.complete(null));
    } catch (IOException | RuntimeException | Error e) {
      // What was begun of it is mended before the next access.
      unsettled = true;
      answers.execute(() -> end.completeExceptionally(e));
    }
  }

  /** Ends the requests of the store; not on a turn. */
  void end() {
    overlap.close();
  }
}
