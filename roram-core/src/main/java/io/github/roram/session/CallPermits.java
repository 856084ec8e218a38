package io.github.roram.session;

import io.github.roram.threads.Futures;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Limits the calls in flight, and holds the futures that report their ends. Further callers wait in
 * turn. A stage of a future does not wait, because its thread must not wait for calls that come
 * after it.
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

  /** Calls that there is room for in all. */
  int room() {
    return room;
  }

  /** Waits for room for a call; returns whether it takes any, to be given back when it ends. */
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

  /** Completes futures; their stages run meanwhile. */
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

  /** Completes a future, with a failure if that is not null, without what futures wrap it in. */
  void complete(CompletableFuture<Void> future, @Nullable Throwable failure) {
    if (failure == null) {
      run(() -> future.complete(null));
    } else {
      run(() -> future.completeExceptionally(Futures.cause(failure)));
    }
  }

  /** Returns whether this is called by a stage. */
  boolean isHere() {
    return running.get() != null;
  }

  /**
   * Call this before waiting for stages.
   *
   * @throws IllegalStateException if the caller is a stage
   */
  void requireElsewhere() {
    if (isHere()) {
      throw new IllegalStateException("closed by what a future completed; use another thread");
    }
  }
}
