package io.github.roram.map;

import io.github.roram.threads.Futures;
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

  /** Why it failed, so that nothing is certain any more. */
  private @Nullable Throwable doubt;

  /**
   * None so far.
   *
   * @param between what is done, while no operation is under way
   */
  PublicSchedule(int every, Supplier<CompletableFuture<Void>> between) {
    this.every = every;
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
    boolean due = since == every;
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
                doubt = failure == null ? doubt : failure;
                since = 0;
              }
              ended();
            });
  }

  private <T> void begin(Supplier<CompletableFuture<T>> operation, CompletableFuture<T> end) {
    CompletableFuture<T> unused =
        called(
                () -> {
                  requireNoDoubt();
                  return operation.get();
                })
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

  private synchronized void requireNoDoubt() {
    if (doubt != null) {
      throw new IllegalStateException(
          "an access of the map failed, and perhaps split a leaf; open the map again", doubt);
    }
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
