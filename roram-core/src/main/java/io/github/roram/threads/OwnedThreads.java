package io.github.roram.threads;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The threads of one owner, an open ORAM for example: made here alone, so that none outlives it.
 * They keep no process alive, end when there was nothing to do for a while, and begin again. Thread
 * safe.
 *
 * <p>What depends on threads and on their clock asks for both here, so that a simulation can have
 * everything done by one thread, in a time of its own.
 */
public class OwnedThreads {

  private static final long IDLE_SECONDS = 5;

  private final List<ThreadPoolExecutor> pools = new CopyOnWriteArrayList<>();
  private final List<Thread> made = new ArrayList<>();
  private final CountDownLatch ending = new CountDownLatch(1);

  /** None so far. */
  public OwnedThreads() {}

  /** Runs one thing after another, in order, on a thread of this name. */
  public Executor serial(String name) {
    return pool(name, 1);
  }

  /** Up to so many threads of this name, which take what there is to do in order. */
  public ThreadPoolExecutor pool(String name, int threads) {
    ThreadPoolExecutor pool = DaemonThreads.pool(threads, IDLE_SECONDS, task -> make(name, task));
    pools.add(pool);
    return pool;
  }

  private Thread make(String name, Runnable task) {
    Thread thread = DaemonThreads.of(name, task);
    synchronized (made) {
      made.removeIf(other -> other.getState() == Thread.State.TERMINATED);
      made.add(thread);
    }
    return thread;
  }

  /** Now, in nanoseconds since some moment. */
  public long nanoTime() {
    return System.nanoTime();
  }

  /**
   * Waits for a while.
   *
   * @throws InterruptedIOException if the thread is interrupted, whose flag is kept
   */
  public void sleep(long millis) throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting");
    }
  }

  /**
   * Does something again and again on a thread of this name, each time so long after the last,
   * until it says that this is enough, or the threads {@link #end}.
   */
  public void repeat(String name, long millis, BooleanSupplier goesOn) {
    pool(name, 1)
        .execute(
            () -> {
              boolean more = true;
              while (more) {
                more = !isEnding(millis) && goesOn.getAsBoolean();
              }
            });
  }

  /** Waits for a while, or until the threads end. */
  private boolean isEnding(long millis) {
    try {
      return ending.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return true;
    }
  }

  /** Waits until something is done that was given to a thread, whatever becomes of it. */
  public void await(Future<?> task) {
    try {
      Uninterrupted.await(task::get);
    } catch (ExecutionException | CancellationException e) {
      // Who looks at the task learns of it.
    }
  }

  /**
   * Returns once all that was given is done and all threads have ended. What is given later is
   * done, too, by a thread that then ends at once. Not to be called on one of them.
   */
  public void end() {
    ending.countDown();
    pools.forEach(pool -> pool.setKeepAliveTime(1, TimeUnit.NANOSECONDS));
    for (Optional<Thread> next = running(); next.isPresent(); next = running()) {
      join(next.get());
    }
  }

  private Optional<Thread> running() {
    synchronized (made) {
      return made.stream()
          .filter(Thread::isAlive) // a pool that is shut down starts not all that it makes
          .filter(thread -> thread != Thread.currentThread())
          .findFirst();
    }
  }

  /** Waits for a thread to end, whatever interrupts the caller, whose flag is kept. */
  public static void join(Thread thread) {
    Uninterrupted.await(thread::join);
  }
}
