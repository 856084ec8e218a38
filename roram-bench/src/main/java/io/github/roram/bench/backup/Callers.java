package io.github.roram.bench.backup;

import io.github.roram.threads.DaemonThreads;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;

/** Callers of a store in a closed loop, each on a thread of its own, until they are closed. */
final class Callers implements Closeable {

  private final AtomicBoolean ended = new AtomicBoolean();
  private final List<CompletableFuture<Void>> callers = new ArrayList<>();

  /**
   * Begins.
   *
   * @param access makes what a caller, by its number, does again and again
   */
  Callers(int count, IntFunction<Runnable> access) {
    for (int number = 0; number < count; number++) {
      Runnable own = access.apply(number);
      callers.add(
          CompletableFuture.runAsync(
              () -> call(own), command -> DaemonThreads.of("roram-load", command).start()));
    }
  }

  private void call(Runnable access) {
    while (!ended.get()) {
      access.run();
    }
  }

  boolean haveFailed() {
    return callers.stream().anyMatch(CompletableFuture::isCompletedExceptionally);
  }

  /**
   * Ends, once what is under way is done.
   *
   * @throws IOException if an access failed
   */
  @Override
  public void close() throws IOException {
    ended.set(true);
    try {
      callers.forEach(CompletableFuture::join);
    } catch (CompletionException e) {
      throw new IOException("an access failed: " + e.getCause(), e);
    }
  }
}
