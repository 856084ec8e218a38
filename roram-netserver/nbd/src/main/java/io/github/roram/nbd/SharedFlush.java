package io.github.roram.nbd;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Flushes, one at a time: those that are asked for while one is under way share the next. So many
 * requests that must be durable wait for few syncs.
 *
 * <p>Thread safety: safe.
 */
final class SharedFlush {

  /** What makes everything durable. */
  @FunctionalInterface
  interface Flush {
    /** Returns once it is. */
    void flush() throws IOException;
  }

  private final Flush flush;
  private final Executor thread;
  private List<CompletableFuture<Void>> waiting = new ArrayList<>();
  private boolean running;

  SharedFlush(Flush flush, Executor thread) {
    this.flush = flush;
    this.thread = thread;
  }

  /** Completes after a flush that begins after this call. */
  CompletableFuture<Void> ask() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    synchronized (this) {
      waiting.add(done);
      if (running) {
        return done;
      }
      running = true;
    }
    thread.execute(this::run);
    return done;
  }

  private void run() {
    for (List<CompletableFuture<Void>> next = next(); next != null; next = next()) {
      Throwable failure = null;
      try {
        flush.flush();
      } catch (IOException | RuntimeException | Error e) {
        failure = e;
      }
      for (CompletableFuture<Void> each : next) {
        if (failure == null) {
          each.complete(null);
        } else {
          each.completeExceptionally(failure);
        }
      }
    }
  }

  private synchronized @Nullable List<CompletableFuture<Void>> next() {
    if (waiting.isEmpty()) {
      running = false;
      return null;
    }
    List<CompletableFuture<Void>> next = waiting;
    waiting = new ArrayList<>();
    return next;
  }
}
