package io.github.roram.session;

import io.github.roram.AsyncOram;
import io.github.roram.BlockProgram;
import io.github.roram.ClientMemory;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.engine.AccessLimits;
import io.github.roram.threads.Futures;
import io.github.roram.threads.IoTask;
import io.github.roram.threads.OwnedThreads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Any {@link Oram} as an {@link AsyncOram}: a thread makes one access after another in the order of
 * the calls. The store sees what the same calls of the ORAM show.
 *
 * <p>Thread safety: safe.
 */
public final class QueuedOram implements AsyncOram {

  private final Oram oram;
  private final AccessLimits limits;
  private final OwnedThreads threads;
  private final Executor thread;
  private final CallPermits permits;

  /** Used by {@link #thread} alone. */
  private boolean closed;

  /**
   * Creates a queue in front of an ORAM, which must be closed through the queue.
   *
   * @param most most calls in flight; further callers wait for room
   * @throws IllegalArgumentException if {@code most} is less than 1
   */
  public QueuedOram(Oram oram, int most) {
    this(oram, most, new OwnedThreads());
  }

  /** Creates a queue whose threads end with it. */
  QueuedOram(Oram oram, int most, OwnedThreads threads) {
    this.oram = oram;
    this.threads = threads;
    thread = threads.serial("roram-queue");
    permits = new CallPermits(most);
    limits = new AccessLimits(oram::config);
  }

  @Override
  public OramConfig config() {
    return oram.config();
  }

  @Override
  public CompletableFuture<Void> readBytes(long offset, int leastBlocks, ByteBuffer target) {
    limits.checkRead(offset, leastBlocks, target);
    ByteBuffer view = target.duplicate();
    return add(() -> oram.readBytes(offset, leastBlocks, view));
  }

  @Override
  public CompletableFuture<Void> updateBytes(long offset, int leastBlocks, ByteBuffer source) {
    limits.checkWrite(offset, leastBlocks, source);
    ByteBuffer view = source.duplicate();
    return add(() -> oram.updateBytes(offset, leastBlocks, view));
  }

  @Override
  public CompletableFuture<Void> access(long[] blocks, int leastBlocks, BlockProgram program) {
    limits.checkScattered(blocks, leastBlocks);
    long[] named = blocks.clone();
    return add(() -> oram.access(named, leastBlocks, program));
  }

  @Override
  public CompletableFuture<Void> flush() {
    return add(oram::flush);
  }

  @Override
  public CompletableFuture<Boolean> trim(long block, long count) {
    limits.checkTrim(block, count);
    boolean[] room = new boolean[1];
    return add(() -> room[0] = oram.trim(block, count)).thenApply(nothing -> room[0]);
  }

  private CompletableFuture<Void> add(IoTask work) {
    boolean tookRoom = permits.takeRoom();
    CompletableFuture<Void> done = new CompletableFuture<>();
    try {
      thread.execute(
          () -> {
            Throwable failure = closed ? new ClosedChannelException() : Futures.failure(work);
            permits.giveRoom(tookRoom);
            permits.complete(done, failure);
          });
    } catch (RuntimeException | Error e) { // no thread is available
      permits.giveRoom(tookRoom);
      done.completeExceptionally(e);
    }
    return done;
  }

  @Override
  public int mostUnderWay() {
    return permits.room();
  }

  @Override
  public OramStats stats() {
    return oram.stats();
  }

  @Override
  public ClientMemory clientMemory() {
    return oram.clientMemory();
  }

  /**
   * Closes the ORAM after all calls. Must not be called by a stage of a future, which runs on the
   * thread that this method waits for.
   */
  @Override
  public void close() throws IOException {
    permits.requireElsewhere();
    CompletableFuture<Void> end = new CompletableFuture<>();
    thread.execute(
        () -> {
          Throwable failure = closed ? null : Futures.failure(oram::close);
          closed |= failure == null;
          permits.complete(end, failure);
        });
    try {
      Futures.join(end);
    } finally {
      threads.end();
    }
  }

  @Override
  public String toString() {
    return oram + ", at most " + permits.room() + " calls at a time";
  }
}
