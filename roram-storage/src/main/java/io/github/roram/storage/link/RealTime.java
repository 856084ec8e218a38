package io.github.roram.storage.link;

import java.io.Closeable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The time of this machine, with a thread that runs tasks. Safe for use by several threads. */
public final class RealTime implements LinkTime, Closeable {

  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread made = new Thread(task, "roram-link");
            made.setDaemon(true);
            return made;
          });

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public void at(long nanoTime, Runnable task) {
    ScheduledFuture<?> unused =
        thread.schedule(task, nanoTime - System.nanoTime(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void await(CompletableFuture<?> future) {
    try {
      future.join();
    } catch (CompletionException | CancellationException e) {
      // It is over: who waits looks at how.
    }
  }

  /** Tasks that were given are not run any more. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
