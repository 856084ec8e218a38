package io.github.roram.session;

import io.github.roram.AsyncOram;
import io.github.roram.BlockProgram;
import io.github.roram.ClientMemory;
import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.OverlapStats;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The asynchronous view of an open ORAM: see {@link Sequencer}. The number of calls in flight is
 * limited; further callers wait in turn. Trims do not count, and never wait for room; nor do calls
 * from a stage of a future, because waiting could delay the calls before them.
 */
public final class AsyncView implements AsyncOram {

  /** Most trims in flight: as many as a record has room for. */
  private static final int MOST_TRIMS = 32;

  private final OpenOram oram;
  private final Lifecycle lifecycle;
  private final CallPermits permits;
  private final Semaphore trims = new Semaphore(MOST_TRIMS);
  private final Sequencer calls;
  private volatile boolean closed;

  /**
   * Creates a view.
   *
   * @param most most calls in flight
   * @param answers completes futures, one after another; null for the ORAM's own threads
   */
  AsyncView(OpenOram oram, int most, @Nullable Executor answers) {
    this(oram, most, answers, true);
  }

  private AsyncView(OpenOram oram, int most, @Nullable Executor answers, boolean mayBeAlone) {
    oram.requireNoView();
    this.oram = oram;
    lifecycle = oram.lifecycle();
    permits = new CallPermits(most);
    Driver driver = oram.driver();
    Executor thread = answers == null ? oram.threads().serial("roram-answers") : answers;
    Answers told = new Answers(driver, permits, thread, answers == null);
    driver.afterTurns(told::tell);
    calls = new Sequencer(oram, driver, mayBeAlone, call -> answered(call, told::add));
    oram.begin(calls);
  }

  /** Creates a view that makes each access as if others were in flight. */
  public AsyncView(OpenOram oram) {
    this(oram, oram.context().options().inFlight(), null, false);
  }

  /**
   * Creates a view on given executors, each of which runs one task at a time, for clocks that stand
   * still while a task runs. No more calls may be in flight than the options allow, and nobody else
   * may use the ORAM.
   */
  public AsyncView(OpenOram oram, Executor turns, Executor answers) {
    oram.requireNoView();
    this.oram = oram;
    lifecycle = oram.lifecycle();
    permits = new CallPermits(oram.context().options().inFlight());
    Turns waiting = Turns.on(turns, oram.threads().serial("roram-journal"));
    Consumer<Call> told = call -> answers.execute(() -> permits.run(call::answer));
    calls = new Sequencer(oram, waiting, false, call -> answered(call, told));
    oram.begin(calls);
  }

  private void answered(Call call, Consumer<Call> told) {
    if (call.trim != null) {
      trims.release();
    } else {
      permits.giveRoom(call.tookRoom);
    }
    told.accept(call);
  }

  @Override
  public OramConfig config() {
    return oram.config();
  }

  @Override
  public CompletableFuture<Void> readBytes(long offset, int leastBlocks, ByteBuffer target) {
    return call(Call.access(oram.reading(offset, leastBlocks, target)));
  }

  @Override
  public CompletableFuture<Void> updateBytes(long offset, int leastBlocks, ByteBuffer source) {
    return call(Call.access(oram.writing(offset, leastBlocks, source)));
  }

  @Override
  public CompletableFuture<Void> access(long[] blocks, int leastBlocks, BlockProgram program) {
    return call(Call.access(oram.scattered(blocks, leastBlocks, program)));
  }

  @Override
  public CompletableFuture<Void> flush() {
    return call(Call.flush());
  }

  @Override
  public CompletableFuture<Boolean> trim(long block, long count) {
    lifecycle.checkTrims();
    oram.limits().checkTrim(block, count);
    if (closed) {
      return CompletableFuture.failedFuture(new ClosedChannelException());
    }
    if (!trims.tryAcquire()) {
      return CompletableFuture.completedFuture(false);
    }
    Call call = Call.trim(block, count);
    return calls.submit(call).thenApply(nothing -> call.trimmed);
  }

  private CompletableFuture<Void> call(Call call) {
    if (closed) {
      return CompletableFuture.failedFuture(new ClosedChannelException());
    }
    call.tookRoom = permits.takeRoom();
    return calls.submit(call);
  }

  @Override
  public int mostUnderWay() {
    return permits.room();
  }

  @Override
  public OramStats stats() {
    return calls.look(oram::stats);
  }

  @Override
  public OverlapStats overlapStats() {
    return calls.look(calls::overlapStats);
  }

  @Override
  public ClientMemory clientMemory() {
    return calls.look(oram::clientMemory);
  }

  /**
   * Closes the ORAM. Must not be called by a stage of a future, because it waits for the stages.
   */
  @Override
  public synchronized void close() throws IOException {
    permits.requireElsewhere();
    if (closed) {
      return;
    }
    closed = true;
    try {
      oram.close();
    } finally {
      closed = !lifecycle.isOpen();
    }
  }
}
