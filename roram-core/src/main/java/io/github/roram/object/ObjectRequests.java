package io.github.roram.object;

import io.github.roram.threads.Futures;
import io.github.roram.threads.OwnedThreads;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes several requests to an engine at the same time. The calling thread prepares requests and
 * takes answers, in order; threads of an executor wait for the engine. Thread safe.
 *
 * @param threads executor of the requests
 * @param most most requests of one call in flight
 */
record ObjectRequests(Executor threads, int most) {

  private static final Logger LOG = LoggerFactory.getLogger(ObjectRequests.class);

  /** Most bytes of one call in flight, unless a single part has more. */
  static final long MOST_BYTES = 16 << 20;

  /** Prepares the request of a part, on the calling thread. */
  interface Step<P, T> {
    T of(P part) throws IOException;
  }

  /** Makes the request of a part, on any thread. */
  interface Request<T, R> {
    R of(T prepared) throws IOException;
  }

  /** Receives the answer for a part, on the calling thread. */
  interface Taking<P, R> {
    void take(P part, R answer) throws IOException;
  }

  /**
   * Makes the requests of all parts. After a failure no more begin, and this throws once those in
   * flight have ended.
   *
   * @param partBytes bytes of the longest part
   */
  <P, T, R> void inOrder(
      List<P> parts, long partBytes, Step<P, T> before, Request<T, R> request, Taking<P, R> after)
      throws IOException {
    long window = Math.max(1, Math.min(most, MOST_BYTES / partBytes));
    Deque<CompletableFuture<R>> underWay = new ArrayDeque<>();
    int taken = 0;
    try {
      for (P part : parts) {
        if (underWay.size() == window) {
          after.take(parts.get(taken++), Futures.join(underWay.remove()));
        }
        underWay.add(begin(before.of(part), request));
      }
      while (!underWay.isEmpty()) {
        after.take(parts.get(taken++), Futures.join(underWay.remove()));
      }
    } finally {
      underWay.forEach(ObjectRequests::end);
    }
  }

  /** Returns requests to an engine that threads of an owner make, or the calling thread. */
  static ObjectRequests to(ObjectSpace objects, OwnedThreads owner, String name) {
    int most = objects.traits().requests();
    return new ObjectRequests(most == 1 ? Runnable::run : owner.pool(name, most), most);
  }

  /**
   * Returns an executor of deletions, one after another, on a thread of an owner. If there is no
   * thread, it runs none: deleting what is left is for the next opening, and no caller fails.
   */
  static Executor deletions(OwnedThreads owner, String name) {
    Executor serial = owner.serial(name);
    return task -> {
      try {
        serial.execute(task);
      } catch (RejectedExecutionException | OutOfMemoryError e) { // no thread
        LOG.warn("objects are not deleted before the next opening: {}", e.toString());
      }
    };
  }

  private <T, R> CompletableFuture<R> begin(T prepared, Request<T, R> request) {
    CompletableFuture<R> future = new CompletableFuture<>();
    threads.execute(() -> make(prepared, request, future));
    return future;
  }

  @SuppressWarnings("CatchingUnchecked")
  private static <T, R> void make(T prepared, Request<T, R> request, CompletableFuture<R> future) {
    try {
      future.complete(request.of(prepared));
    } catch (Throwable e) { // whatever it is, who waits for the future learns of it
      future.completeExceptionally(e);
    }
  }

  private static void end(CompletableFuture<?> request) {
    try {
      request.join();
    } catch (CompletionException e) {
      // Something failed before it, which is what the caller learns of.
    }
  }
}
