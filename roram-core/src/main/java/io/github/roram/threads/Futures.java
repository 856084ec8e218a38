package io.github.roram.threads;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Futures of what is begun. */
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
}
