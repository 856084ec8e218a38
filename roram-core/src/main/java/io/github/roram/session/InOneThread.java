package io.github.roram.session;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;

/**
 * Runs things on the thread that gives them, one after another in their order: what is given while
 * something runs comes after it. One thread at a time.
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
