package io.github.roram.threads;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Futures of what is begun, and what becomes of them. */
public final class Futures {

  private Futures() {}

  /** Begins something; what it throws instead of beginning comes by the future, as all failures. */
  public static <T> CompletableFuture<T> begun(Supplier<CompletableFuture<T>> work) {
    try {
      return work.get();
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /**
   * Waits, whatever interrupts the thread, whose flag is kept. What failed is thrown as it is,
   * without what futures wrap it in.
   */
  public static <T> T join(CompletableFuture<T> future) throws IOException {
    try {
      return future.join();
    } catch (CompletionException e) {
      rethrow(cause(e));
      throw e;
    }
  }

  /** Throws what something failed with, as it is: an IOException or what is unchecked. */
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

  /** What something fails with, whatever it is; null if it does not. */
  public static @Nullable Throwable failure(IoTask task) {
    try {
      task.run();
      return null;
    } catch (IOException | RuntimeException | Error e) {
      return e;
    }
  }

  /** What failed, without what futures wrap it in. */
  public static Throwable cause(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
    return cause == null ? failure : cause;
  }
}
