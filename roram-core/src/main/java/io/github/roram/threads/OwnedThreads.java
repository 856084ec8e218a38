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
 * The threads of one owner, such as an open ORAM: the owner creates threads only here, so that none
 * outlives it. They are daemons, end after a while without work, and start again. Thread safe.
 *
 * <p>Code that needs threads and a clock gets both here, so that a simulation can run everything on
 * one thread, in simulated time.
 */
public class OwnedThreads {

  private static final long IDLE_SECONDS = 5;

  private final List<ThreadPoolExecutor> pools = new CopyOnWriteArrayList<>();
  private final List<Thread> made = new ArrayList<>();
  private final CountDownLatch ending = new CountDownLatch(1);

  /** Creates an owner without threads. */
  public OwnedThreads() {}

  /** Returns an executor that runs one task after another, in order, on a thread with a name. */
  public Executor serial(String name) {
    return pool(name, 1);
  }

  /** Returns a pool of up to {@code threads} threads with a name, which take tasks in order. */
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

  /** Returns the time in nanoseconds since some moment. */
  public long nanoTime() {
    return System.nanoTime();
  }

  /**
   * Waits for a number of milliseconds.
   *
   * @throws InterruptedIOException if the thread is interrupted; its interrupt stays set
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
   * Runs a task repeatedly on a thread with a name, each time {@code millis} after the last, until
   * it returns false or the threads {@link #end}.
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

  /** Waits for a while, or until the threads end; returns whether they end. */
  private boolean isEnding(long millis) {
    try {
      return ending.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return true;
    }
  }

  /** Waits until a task is done, even if it fails. */
  public void await(Future<?> task) {
    try {
      Uninterrupted.await(task::get);
    } catch (ExecutionException | CancellationException e) {
      // A caller that looks at the task's result learns of this.
    }
  }

  /**
   * Returns once all tasks are done and all threads have ended. Later tasks still run, on a thread
   * that then ends at once. Must not be called on one of these threads.
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
          .filter(Thread::isAlive) // a pool that was shut down may never start a thread
          .filter(thread -> thread != Thread.currentThread())
          .findFirst();
    }
  }

  /** Waits for a thread to end, even if interrupted, and keeps the interrupt. */
  public static void join(Thread thread) {
    Uninterrupted.await(thread::join);
  }
}
