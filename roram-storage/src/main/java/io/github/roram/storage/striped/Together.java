package io.github.roram.storage.striped;

import io.github.roram.storage.threads.DaemonThreads;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Does something with several stripes at the same time. Returns when all are done, also where one
 * failed: then nothing of the request is still under way.
 */
final class Together implements AutoCloseable {

  /** So many requests at a time have threads of their own for their stripes. */
  private static final int REQUESTS = 4;

  private final ExecutorService pool;

  Together(int stripes) {
    pool = DaemonThreads.pool("roram-stripe", REQUESTS * Math.max(1, stripes - 1));
  }

  /** What is done with each. */
  interface Action<T> {
    void run(T one) throws IOException;
  }

  /** Does it with all, with the last one on the calling thread. */
  <T> void run(List<T> all, Action<T> action) throws IOException {
    List<Future<?>> others = new ArrayList<>();
    @Nullable Throwable failure = null;
    for (int i = 0; i < all.size() && failure == null; i++) {
      T one = all.get(i);
      try {
        if (i < all.size() - 1) {
          others.add(pool.submit(() -> call(one, action)));
        } else {
          action.run(one);
        }
      } catch (RejectedExecutionException e) {
        failure = new ClosedChannelException();
      } catch (IOException | RuntimeException | Error e) {
        failure = e;
      }
    }
    for (Future<?> other : others) {
      failure = first(failure, await(other));
    }
    rethrow(failure);
  }

  private static <T> @Nullable Void call(T one, Action<T> action) throws IOException {
    action.run(one);
    return null;
  }

  /** What it failed with; null if it did not. Interrupts are kept for later. */
  private static @Nullable Throwable await(Future<?> task) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          task.get();
          return null;
        } catch (ExecutionException e) {
          return e.getCause();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static @Nullable Throwable first(@Nullable Throwable one, @Nullable Throwable other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    one.addSuppressed(other);
    return one;
  }

  private static void rethrow(@Nullable Throwable failure) throws IOException {
    if (failure instanceof IOException exception) {
      throw exception;
    }
    if (failure instanceof RuntimeException exception) {
      throw exception;
    }
    if (failure instanceof Error error) {
      throw error;
    }
  }

  @Override
  public void close() {
    pool.shutdown();
  }
}
