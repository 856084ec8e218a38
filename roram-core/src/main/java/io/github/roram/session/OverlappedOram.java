package io.github.roram.session;

import io.github.roram.AsyncOram;
import io.github.roram.ClientMemory;
import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.OverlapStats;
import io.github.roram.engine.AccessLimits;
import io.github.roram.engine.Engine;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.Transfer;
import io.github.roram.threads.OwnedThreads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An ORAM that is open, whose accesses overlap: see {@link OverlappedCalls}. As many calls as the
 * options allow are under way; who calls more waits, in turn. Trims do not count, and never wait
 * for room; nor do calls that a stage of a future makes, for it may hold up those before it.
 */
public final class OverlappedOram implements AsyncOram {

  private static final Logger LOG = LoggerFactory.getLogger(OverlappedOram.class);

  /** Trims that are under way: as many as a record has room for. */
  private static final int MOST_TRIMS = 32;

  private final OramContext context;
  private final Engine engine;
  private final Lifecycle lifecycle;
  private final OwnedThreads threads;
  private final AccessLimits limits;
  private final Semaphore room;
  private final Semaphore trims = new Semaphore(MOST_TRIMS);
  private final Executor turns;
  private final OverlappedCalls calls;
  private final Stages stages = new Stages();
  private volatile boolean closed;

  /**
   * Takes over an ORAM, whose engine is {@link io.github.roram.engine.Overlapping}: nobody else
   * uses it from now on.
   *
   * @throws io.github.roram.ConfigurationException if the engine is not
   */
  public OverlappedOram(OpenOram oram) {
    this(oram, oram.threads().serial("roram-answers"));
  }

  /** As above; futures are completed by an executor that runs one thing after another. */
  public OverlappedOram(OpenOram oram, Executor answers) {
    this(oram, oram.threads().serial("roram-accesses"), answers);
  }

  /**
   * As above, on given executors, each of which runs one thing after another: for clocks that stand
   * still while something is done. Then no more calls may be under way than the options allow.
   */
  public OverlappedOram(OpenOram oram, Executor turns, Executor answers) {
    this.turns = turns;
    context = oram.context();
    engine = oram.engine();
    lifecycle = oram.lifecycle();
    threads = oram.threads();
    limits = new AccessLimits(context.config());
    room = new Semaphore(context.options().inFlight(), true);
    Executor inStages = answer -> answers.execute(() -> stages.run(answer));
    calls = new OverlappedCalls(oram, this::inTurn, inStages, this::answered);
  }

  private void answered(OverlappedCall call) {
    if (call.trim != null) {
      trims.release();
    } else if (call.tookRoom) {
      room.release();
    }
  }

  /** Does things one after another; what must not happen fails the calls, and leaves none open. */
  @SuppressWarnings("CatchingUnchecked")
  private void inTurn(Runnable task) {
    turns.execute(
        () -> {
          try {
            task.run();
          } catch (RuntimeException | Error e) {
            LOG.error("accesses under way fail, by what is a bug of the ORAM: please report it", e);
            calls.failed(e);
          }
        });
  }

  @Override
  public OramConfig config() {
    return context.config();
  }

  @Override
  public CompletableFuture<Void> readBytes(long offset, int leastBlocks, ByteBuffer target) {
    int bytes = target.remaining();
    limits.checkUpdate(offset, bytes);
    limits.checkLeast(leastBlocks);
    if (target.isReadOnly()) {
      throw new IllegalArgumentException("the target is read-only");
    }
    return call(
        OverlappedCall.access(
            Transfer.outOf(context, lifecycle.trimmed(), offset, bytes, target, leastBlocks)));
  }

  @Override
  public CompletableFuture<Void> updateBytes(long offset, int leastBlocks, ByteBuffer source) {
    int bytes = source.remaining();
    limits.checkUpdate(offset, bytes);
    limits.checkLeast(leastBlocks);
    return call(
        OverlappedCall.access(
            Transfer.into(context, lifecycle.trimmed(), offset, bytes, source, leastBlocks)));
  }

  @Override
  public CompletableFuture<Void> flush() {
    return call(OverlappedCall.flush());
  }

  @Override
  public CompletableFuture<Boolean> trim(long block, long count) {
    lifecycle.checkTrims();
    limits.checkTrim(block, count);
    if (closed) {
      return CompletableFuture.failedFuture(new ClosedChannelException());
    }
    if (!trims.tryAcquire()) {
      return CompletableFuture.completedFuture(false);
    }
    OverlappedCall call = OverlappedCall.trim(block, count);
    inTurn(() -> calls.add(call));
    return call.future().thenApply(nothing -> call.trimmed);
  }

  private CompletableFuture<Void> call(OverlappedCall call) {
    if (closed) {
      return CompletableFuture.failedFuture(new ClosedChannelException());
    }
    if (!stages.isHere()) {
      room.acquireUninterruptibly();
      call.tookRoom = true;
    }
    inTurn(() -> calls.add(call));
    return call.future();
  }

  @Override
  public OramStats stats() {
    return CompletableFuture.supplyAsync(calls::stats, this::inTurn).join();
  }

  @Override
  public OverlapStats overlapStats() {
    return CompletableFuture.supplyAsync(calls::overlapStats, this::inTurn).join();
  }

  @Override
  public ClientMemory clientMemory() {
    return CompletableFuture.supplyAsync(() -> lifecycle.addTo(engine.heldMemory()), this::inTurn)
        .join();
  }

  /** Not for stages of futures, which it waits for. */
  @Override
  public synchronized void close() throws IOException {
    stages.requireElsewhere();
    if (closed) {
      return;
    }
    closed = true;
    try {
      calls.closeWhenIdle().join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw e;
    } finally {
      closed = !lifecycle.isOpen();
      if (closed) {
        calls.end();
        threads.end();
      }
    }
  }
}
