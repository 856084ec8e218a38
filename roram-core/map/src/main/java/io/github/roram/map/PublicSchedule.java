package io.github.roram.map;

import io.github.roram.threads.Futures;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs operations, and a maintenance step after a fixed number of them, whatever they are and
 * whether or not they fail. Operations between two steps overlap; all others wait in line, in
 * order.
 *
 * <p>A failed step is repeated before the next operation, which fails if the repetition does.
 *
 * <p>Thread safety: safe.
 */
final class PublicSchedule {

  private final int every;
  private final Supplier<CompletableFuture<Void>> between;
  private final Queue<Runnable> line = new ArrayDeque<>();

  /** Operations that began since the last step. */
  private int since;

  /** Operations, or steps, in flight. */
  private int underWay;

  /** Whether a thread is starting operations; only one may, so that calls stay in order. */
  private boolean beginning;

  /** The failure of a step until a repetition succeeds: meanwhile the map's state is uncertain. */
  private @Nullable Throwable doubt;

  /**
   * Creates a schedule.
   *
   * @param every number of operations after which a step runs
   * @param since number of operations that count as made already
   * @param between the step, which runs while no operation is in flight
   */
  PublicSchedule(int every, int since, Supplier<CompletableFuture<Void>> between) {
    this.every = every;
    this.since = since;
    this.between = between;
  }

  /** Starts an operation in its turn; the future completes with it. */
  <T> CompletableFuture<T> operation(Supplier<CompletableFuture<T>> begin) {
    CompletableFuture<T> end = new CompletableFuture<>();
    synchronized (this) {
      line.add(() -> begin(begin, end));
    }
    beginWhatCan();
    return end;
  }

  private void beginWhatCan() {
    synchronized (this) {
      if (beginning) {
        return; // the thread that is starting them looks again
      }
      beginning = true;
    }
    for (Runnable next = next(); next != null; next = next()) {
      next.run();
    }
  }

  private synchronized @Nullable Runnable next() {
    // A failed step is repeated once an operation waits for it.
    boolean due = since == every && (isCertain() || !line.isEmpty());
    if (due ? underWay > 0 : line.isEmpty()) {
      beginning = false;
      return null;
    }
    underWay++;
    since += due ? 0 : 1;
    return due ? this::beginBetween : line.remove();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the callback handles its end
  private void beginBetween() {
    Futures.begun(between)
        .whenComplete(
            (none, failure) -> {
              synchronized (this) {
                if (failure == null) {
                  since = 0;
                } else {
                  since = isCertain() ? every : every - 1; // then an operation fails with the step
                }
                doubt = failure;
              }
              ended();
            });
  }

  private <T> void begin(Supplier<CompletableFuture<T>> operation, CompletableFuture<T> end) {
    CompletableFuture<T> unused =
        Futures.begun(
                () -> isCertain() ? operation.get() : CompletableFuture.failedFuture(uncertain()))
            .whenComplete(
                (result, failure) -> {
                  // First, so that a due step has begun when the caller learns of the end.
                  ended();
                  if (failure == null) {
                    end.complete(result);
                  } else {
                    end.completeExceptionally(Futures.cause(failure));
                  }
                });
  }

  private synchronized boolean isCertain() {
    return doubt == null;
  }

  private synchronized IOException uncertain() {
    return new IOException(
        "an access that keeps the map's leaves from filling up failed; repeat the operation",
        doubt);
  }

  private void ended() {
    synchronized (this) {
      underWay--;
    }
    beginWhatCan();
  }
}
