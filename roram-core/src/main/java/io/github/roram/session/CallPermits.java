package io.github.roram.session;

import io.github.roram.threads.Futures;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Limits the calls in flight, and completes the futures that report their ends. Further callers
 * wait in turn. A stage of a future does not wait, because its thread must not wait for calls that
 * come after it.
 *
 * <p>Thread safety: safe.
 */
final class CallPermits {

  private final ThreadLocal<Boolean> running = new ThreadLocal<>();
  private final Semaphore free;
  private final int room;

  /** Creates permits for {@code room} calls. */
  CallPermits(int room) {
    if (room < 1) {
      throw new IllegalArgumentException("most is " + room + " calls, must be at least 1");
    }
    this.room = room;
    free = new Semaphore(room, true);
  }

  /** Returns the most calls in flight. */
  int room() {
    return room;
  }

  /**
   * Waits for room for a call. Returns whether the call took a permit, to be given back at its end.
   */
  boolean takeRoom() {
    if (isHere()) {
      return false;
    }
    free.acquireUninterruptibly();
    return true;
  }

  /** Returns a permit, if one was taken, because a call has ended. */
  void giveRoom(boolean taken) {
    if (taken) {
      free.release();
    }
  }

  /**
   * Runs {@code completion}, which completes futures, and meanwhile marks this thread as running
   * stages.
   */
  void run(Runnable completion) {
    boolean nested = isHere();
    running.set(true);
    try {
      completion.run();
    } finally {
      if (!nested) {
        running.remove();
      }
    }
  }

  /**
   * Completes a future: with the cause of {@code failure}, without the exceptions that futures wrap
   * around it, or normally if {@code failure} is null.
   */
  void complete(CompletableFuture<Void> future, @Nullable Throwable failure) {
    if (failure == null) {
      run(() -> future.complete(null));
    } else {
      run(() -> future.completeExceptionally(Futures.cause(failure)));
    }
  }

  /** Returns whether the caller is a stage of a future. */
  boolean isHere() {
    return running.get() != null;
  }

  /**
   * Requires that the caller may wait for stages.
   *
   * @throws IllegalStateException if the caller is a stage
   */
  void requireElsewhere() {
    if (isHere()) {
      throw new IllegalStateException("closed by what a future completed; use another thread");
    }
  }
}
