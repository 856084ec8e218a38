package io.github.roram.session;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;

/**
 * Runs tasks on the thread that submits them, one after another in their order: a task submitted
 * while another runs comes after it. For use by one thread at a time.
 */
public final class InOneThread implements Executor {

  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private boolean running;

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
    if (running) {
      return;
    }
    running = true;
    try {
      for (Runnable next = tasks.poll(); next != null; next = tasks.poll()) {
        next.run();
      }
    } finally {
      running = false;
    }
  }
}
