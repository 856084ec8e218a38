package io.github.roram.store;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Any store as an {@link AsyncBlockStore}: each request is made by a thread of a bounded pool,
 * which waits in its place. Requests beyond the number of threads wait in a queue, in order; they
 * take no memory but that of their objects. Threads keep no process alive, and end when there was
 * nothing to do for a while.
 */
final class PooledBlockStore implements AsyncBlockStore {

  private static final int IDLE_SECONDS = 10;

  private final BlockStore store;
  private final ThreadPoolExecutor pool;
  private volatile boolean closed;

  PooledBlockStore(BlockStore store, int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException("threads is " + threads + ", must be at least 1");
    }
    this.store = Objects.requireNonNull(store);
    pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "roram-store");
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
  }

  @Override
  public long capacityBytes() {
    return store.capacityBytes();
  }

  @Override
  public CompletableFuture<Void> read(ExtentBatch batch, UnitSink sink) {
    return submit(() -> store.read(batch, sink));
  }

  @Override
  public CompletableFuture<Void> write(ExtentBatch batch, UnitSource source) {
    return submit(() -> store.write(batch, source));
  }

  @Override
  public CompletableFuture<Void> sync() {
    return submit(store::sync);
  }

  /** Waits for the requests that threads have begun. */
  @Override
  public void close() {
    closed = true;
    pool.shutdown();
    boolean interrupted = false;
    boolean ended = false;
    while (!ended) {
      try {
        ended = pool.awaitTermination(1, TimeUnit.MINUTES);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String toString() {
    return store + ", asynchronous by " + pool.getMaximumPoolSize() + " threads";
  }

  /** What a thread of the pool does for a request. */
  @FunctionalInterface
  private interface Request {
    void make() throws IOException;
  }

  private CompletableFuture<Void> submit(Request request) {
    CompletableFuture<Void> future = new CompletableFuture<>();
    try {
      pool.execute(() -> make(request, future));
    } catch (RejectedExecutionException e) {
      future.completeExceptionally(new ClosedChannelException());
    } catch (OutOfMemoryError e) { // no more threads to be had
      future.completeExceptionally(e);
    }
    return future;
  }

  @SuppressWarnings("CatchingUnchecked")
  private void make(Request request, CompletableFuture<Void> future) {
    try {
      if (closed) {
        throw new ClosedChannelException();
      }
      request.make();
    } catch (Throwable e) { // whatever it is, who waits for the future learns of it
      future.completeExceptionally(e);
      return;
    }
    future.complete(null);
  }
}
