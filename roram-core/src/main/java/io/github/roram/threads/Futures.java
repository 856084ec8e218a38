package io.github.roram.threads;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Helpers for starting asynchronous work, and for failures of futures. */
public final class Futures {

  private Futures() {}

  /**
   * Starts work and returns its future; if the work throws instead of starting, the future fails.
   */
  public static <T> CompletableFuture<T> begun(Supplier<CompletableFuture<T>> work) {
    try {
      return work.get();
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /**
   * Waits for a future, even if the thread is interrupted, and keeps the interrupt. Throws the
   * original failure, not the exception that futures wrap it in.
   */
  public static <T> T join(CompletableFuture<T> future) throws IOException {
    try {
      return future.join();
    } catch (CompletionException e) {
      rethrow(cause(e));
      throw e;
    }
  }

  /** Throws a failure unchanged if it is an IOException or an unchecked exception. */
  public static void rethrow(@Nullable Throwable failure) throws IOException {
    if (failure instanceof IOException io) {
      throw io;
    }
    if (failure instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    if (failure instanceof Error error) {
      throw error;
    }
  }

  /** Runs a task, and returns what it throws; null if it succeeds. */
  public static @Nullable Throwable failure(IoTask task) {
    try {
      task.run();
      return null;
    } catch (IOException | RuntimeException | Error e) {
      return e;
    }
  }

  /** Returns the original failure, without the exceptions that futures wrap it in. */
  public static Throwable cause(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
    return cause == null ? failure : cause;
  }
}
