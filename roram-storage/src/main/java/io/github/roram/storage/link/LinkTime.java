package io.github.roram.storage.link;

import io.github.roram.threads.DaemonThreads;
import io.github.roram.threads.Uninterrupted;
import java.io.Closeable;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The time in which a link works. */
public interface LinkTime {

  /** Returns the time in nanoseconds since an arbitrary moment. */
  long nanoTime();

  /**
   * Runs something at a time, or at once if it is past. Tasks of one time run in the order in which
   * they were given.
   */
  void at(long nanoTime, Runnable task);

  /** Waits until a future has completed, however it did. */
  void await(CompletableFuture<?> future);

  /** The time of this machine, with a thread that runs tasks. Safe for use by several threads. */
  final class RealTime implements LinkTime, Closeable {

    private final ScheduledThreadPoolExecutor thread =
        new ScheduledThreadPoolExecutor(1, task -> DaemonThreads.of("roram-link", task));

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
        // The future is complete; the caller examines the outcome.
      }
    }

    /** Tasks that were given are not run any more. */
    @Override
    public void close() {
      thread.shutdownNow();
    }
  }

  /**
   * A clock that stands still until nothing is left to do now, then goes to the next task: so what
   * takes minutes on a slow link is over at once, and takes the same virtual time whenever it is
   * repeated. Processing takes no time.
   *
   * <p>Safe for use by several threads. Times repeat where one thread does everything: the waiting
   * thread runs the tasks.
   */
  final class VirtualTime implements LinkTime {

    private record Task(long time, long number, Runnable work) {}

    private final PriorityQueue<Task> tasks =
        new PriorityQueue<>(Comparator.comparingLong(Task::time).thenComparingLong(Task::number));
    private long now;
    private long tasksGiven;

    @Override
    public synchronized long nanoTime() {
      return now;
    }

    @Override
    public synchronized void at(long nanoTime, Runnable task) {
      tasks.add(new Task(Math.max(now, nanoTime), tasksGiven++, task));
      notifyAll();
    }

    /**
     * Goes to the next task and runs it.
     *
     * @return false if there is none
     */
    public boolean step() {
      Task next = next();
      if (next == null) {
        return false;
      }
      next.work.run();
      return true;
    }

    private synchronized @Nullable Task next() {
      Task next = tasks.poll();
      if (next != null) {
        now = next.time;
      }
      return next;
    }

    /** Runs tasks until the future has completed; where there are none, others must bring some. */
    @Override
    public void await(CompletableFuture<?> future) {
      CompletableFuture<?> unused = future.whenComplete((result, failure) -> wake());
      while (!future.isDone()) {
        if (!step()) {
          awaitTask(future);
        }
      }
    }

    private synchronized void wake() {
      notifyAll();
    }

    private synchronized void awaitTask(CompletableFuture<?> future) {
      Uninterrupted.await(
          () -> {
            while (tasks.isEmpty() && !future.isDone()) {
              wait();
            }
          });
    }
  }
}
