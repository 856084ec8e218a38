package io.github.roram.engine;

import io.github.roram.threads.Futures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes one flush at a time; all callers that ask during a flush share the next one. So many
 * requests that must be durable wait for few syncs.
 *
 * <p>Thread safety: safe.
 */
public final class SharedFlush {

  private final Supplier<CompletableFuture<Void>> flush;
  private List<CompletableFuture<Void>> waiting = new ArrayList<>();
  private boolean running;

  /**
   * Creates a shared flush that is idle.
   *
   * @param flush begins a flush; the future fails as the flush does
   */
  public SharedFlush(Supplier<CompletableFuture<Void>> flush) {
    this.flush = flush;
  }

  /** Returns a future that completes after a flush that begins after this call. */
  public CompletableFuture<Void> ask() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    synchronized (this) {
      waiting.add(done);
      if (running) {
        return done;
      }
      running = true;
    }
    runNext();
    return done;
  }

  private void runNext() {
    List<CompletableFuture<Void>> sharing = next();
    if (sharing != null) {
      CompletableFuture<Void> unused =
          Futures.begun(flush).whenComplete((nothing, failure) -> end(sharing, failure));
    }
  }

  private void end(List<CompletableFuture<Void>> sharing, @Nullable Throwable failure) {
    for (CompletableFuture<Void> each : sharing) {
      if (failure == null) {
        each.complete(null);
      } else {
        each.completeExceptionally(failure);
      }
    }
    runNext();
  }

  private synchronized @Nullable List<CompletableFuture<Void>> next() {
    if (waiting.isEmpty()) {
      running = false;
      return null;
    }
    List<CompletableFuture<Void>> sharing = waiting;
    waiting = new ArrayList<>();
    return sharing;
  }
}
