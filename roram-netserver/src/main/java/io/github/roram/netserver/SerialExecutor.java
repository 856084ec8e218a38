package io.github.roram.netserver;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one after another, in order, on the threads of another executor. Every task runs,
 * because only the task itself frees the memory that it holds: when the other executor has ended or
 * has no thread, the remaining tasks run on the thread at hand.
 */
final class SerialExecutor implements Executor {

  private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);

  /** Number of tasks after which others get the thread. */
  private static final int TASKS_PER_TURN = 8;

  private final Executor threads;
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private boolean running;

  SerialExecutor(Executor threads) {
    this.threads = threads;
  }

  @Override
  public void execute(Runnable task) {
    synchronized (tasks) {
      tasks.add(task);
      if (running) {
        return;
      }
      running = true;
    }
    goOn();
  }

  private void goOn() {
    try {
      threads.execute(this::runTurns);
    } catch (RejectedExecutionException | OutOfMemoryError e) { // no thread to be had
      while (runSome()) {
        // Run all that are left.
      }
    }
  }

  private void runTurns() {
    if (runSome()) {
      goOn();
    }
  }

  /** Runs a few tasks; returns false if none is left. */
  private boolean runSome() {
    for (int i = 0; i < TASKS_PER_TURN; i++) {
      Runnable task;
      synchronized (tasks) {
        task = tasks.poll();
        if (task == null) {
          running = false;
          return false;
        }
      }
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        LOG.error("a task of a volume failed", e); // those behind it are others' requests
      }
    }
    return true;
  }
}
