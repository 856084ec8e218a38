package io.github.roram.store;

import io.github.roram.threads.IoTask;
import io.github.roram.threads.OwnedThreads;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * Makes blocking requests asynchronous: a thread of a bounded pool makes each request and waits for
 * it. Requests beyond the number of threads wait in a queue, in order; they take no memory but that
 * of their objects. The threads are daemons, and end after a while without work. Thread safe.
 */
final class RequestPool {

  private final OwnedThreads owned = new OwnedThreads();
  private final ThreadPoolExecutor pool;
  private volatile boolean closed;

  RequestPool(int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException("threads is " + threads + ", must be at least 1");
    }
    pool = owned.pool("roram-store", threads);
  }

  int threads() {
    return pool.getMaximumPoolSize();
  }

  /** Submits a request; the future completes as the request ends. */
  CompletableFuture<Void> submit(IoTask request) {
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
  private void make(IoTask request, CompletableFuture<Void> future) {
    try {
      if (closed) {
        throw new ClosedChannelException();
      }
      request.run();
    } catch (Throwable e) { // whatever it is, who waits for the future learns of it
      future.completeExceptionally(e);
      return;
    }
    future.complete(null);
  }

  /** Waits for the requests that threads have begun; makes the others fail. */
  void close() {
    closed = true;
    pool.shutdown();
    owned.end();
  }
}
