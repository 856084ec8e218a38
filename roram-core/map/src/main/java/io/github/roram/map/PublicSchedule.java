package io.github.roram.map;

import io.github.roram.threads.Futures;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Operations, and something that is done after every so many of them, whatever they were and
 * whether or not they failed. Operations in between are under way at the same time; all others wait
 * in line, and nobody overtakes.
 *
 * <p>If what is between them fails, it is repeated before the next operation begins. That fails if
 * the repetition does.
 *
 * <p>Thread safety: safe.
 */
final class PublicSchedule {

  private final int every;
  private final Supplier<CompletableFuture<Void>> between;
  private final Queue<Runnable> line = new ArrayDeque<>();

  /** Operations that began since the last time. */
  private int since;

  /** Operations, or what is between them, that have not ended. */
  private int underWay;

  /** Whether a thread begins what can begin; one at a time, so that calls stay in order. */
  private boolean beginning;

  /** Why what is between failed, until it succeeds: nothing is certain meanwhile. */
  private @Nullable Throwable doubt;

  /**
   * A schedule.
   *
   * @param every after how many operations something is done between
   * @param since how many of them count as made already
   * @param between what is done, while no operation is under way
   */
  PublicSchedule(int every, int since, Supplier<CompletableFuture<Void>> between) {
    this.every = every;
    this.since = since;
    this.between = between;
  }

  /** Has an operation begin in its turn; completes as it does. */
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
        return; // and whoever does looks again
      }
      beginning = true;
    }
    for (Runnable next = next(); next != null; next = next()) {
      next.run();
    }
  }

  private synchronized @Nullable Runnable next() {
    // What failed is repeated once somebody waits for it.
    boolean due = since == every && (isCertain() || !line.isEmpty());
    if (due ? underWay > 0 : line.isEmpty()) {
      beginning = false;
      return null;
    }
    underWay++;
    since += due ? 0 : 1;
    return due ? this::beginBetween : line.remove();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // its end is told to this
  private void beginBetween() {
    called(between)
        .whenComplete(
            (none, failure) -> {
              synchronized (this) {
                if (failure == null) {
                  since = 0;
                } else {
                  since = isCertain() ? every : every - 1; // then an operation fails with it
                }
                doubt = failure;
              }
              ended();
            });
  }

  private <T> void begin(Supplier<CompletableFuture<T>> operation, CompletableFuture<T> end) {
    CompletableFuture<T> unused =
        called(() -> isCertain() ? operation.get() : CompletableFuture.failedFuture(uncertain()))
            .whenComplete(
                (result, failure) -> {
                  // First, so that what is due was called when the caller learns of the end.
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

  private static <T> CompletableFuture<T> called(Supplier<CompletableFuture<T>> call) {
    try {
      return call.get();
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void ended() {
    synchronized (this) {
      underWay--;
    }
    beginWhatCan();
  }
}
