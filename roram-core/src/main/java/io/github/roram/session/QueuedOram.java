package io.github.roram.session;

import io.github.roram.AsyncOram;
import io.github.roram.ClientMemory;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.engine.AccessLimits;
import io.github.roram.threads.OwnedThreads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Any {@link Oram} as an {@link AsyncOram}: a bounded queue, and a thread that makes one access
 * after another in the order of the calls. What the store sees is what the same calls of the ORAM
 * show.
 *
 * <p>Calls that a completed future makes on that thread do not wait for room: nobody else could
 * make it.
 *
 * <p>Thread safety: safe.
 */
public final class QueuedOram implements AsyncOram {

  private final Oram oram;
  private final AccessLimits limits;
  private final int most;
  private final OwnedThreads threads = new OwnedThreads();
  private final Executor thread = threads.serial("roram-queue");
  private final Stages stages = new Stages();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Those that wait for the thread, and the one that is being made. */
  private int underWay;

  private boolean closing;

  /** Something to be done to the ORAM. */
  @FunctionalInterface
  private interface Work {
    void run() throws IOException;
  }

  /**
   * A queue before an ORAM, which is closed through it from now on.
   *
   * @param most calls that are under way at a time; further ones wait for room
   * @throws IllegalArgumentException if that is less than 1
   */
  public QueuedOram(Oram oram, int most) {
    if (most < 1) {
      throw new IllegalArgumentException("most is " + most + " calls, must be at least 1");
    }
    this.oram = oram;
    this.most = most;
    limits = new AccessLimits(oram.config());
  }

  @Override
  public OramConfig config() {
    return oram.config();
  }

  @Override
  public CompletableFuture<Void> readBytes(long offset, int leastBlocks, ByteBuffer target) {
    limits.checkUpdate(offset, target.remaining());
    limits.checkLeast(leastBlocks);
    if (target.isReadOnly()) {
      throw new IllegalArgumentException("the target is read-only");
    }
    ByteBuffer view = target.duplicate();
    return add(() -> oram.readBytes(offset, leastBlocks, view));
  }

  @Override
  public CompletableFuture<Void> updateBytes(long offset, int leastBlocks, ByteBuffer source) {
    limits.checkUpdate(offset, source.remaining());
    limits.checkLeast(leastBlocks);
    ByteBuffer view = source.duplicate();
    return add(() -> oram.updateBytes(offset, leastBlocks, view));
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

  private CompletableFuture<Void> add(Work work) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    lock.lock();
    try {
      while (underWay >= most && !closing && !stages.isHere()) {
        changed.awaitUninterruptibly();
      }
      if (closing) {
        return CompletableFuture.failedFuture(new ClosedChannelException());
      }
      underWay++;
      thread.execute(() -> make(work, done));
      return done;
    } finally {
      lock.unlock();
    }
  }

  private void make(Work work, CompletableFuture<Void> done) {
    Throwable failure = failure(work);
    stages.run(
        () -> {
          if (failure == null) {
            done.complete(null);
          } else {
            done.completeExceptionally(failure);
          }
        });
    ended();
  }

  /** Who closes waits for this, and so for the future as well. */
  private void ended() {
    lock.lock();
    try {
      underWay--;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Does something; what it throws, whatever it is, goes to who waits for it. */
  private static @Nullable Throwable failure(Work work) {
    try {
      work.run();
      return null;
    } catch (IOException | RuntimeException | Error e) {
      return e;
    }
  }

  @Override
  public OramStats stats() {
    return oram.stats();
  }

  @Override
  public ClientMemory clientMemory() {
    return oram.clientMemory();
  }

  /** Not for stages of futures, which run on the thread that this waits for. */
  @Override
  public void close() throws IOException {
    stages.requireElsewhere();
    boolean closed = false;
    lock.lock();
    try {
      closing = true;
      changed.signalAll();
      while (underWay > 0) {
        changed.awaitUninterruptibly();
      }
      oram.close();
      closed = true;
    } finally {
      closing = closed;
      changed.signalAll();
      threads.end();
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return oram + ", at most " + most + " calls at a time";
  }
}
