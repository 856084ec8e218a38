package io.github.roram.session;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs one thing after another, in order, on a daemon thread that ends when there was nothing to do
 * for a while. Thread safe.
 */
final class SerialThread implements Executor {

  private static final long IDLE_SECONDS = 5;

  private final ThreadPoolExecutor executor;

  SerialThread(String name) {
    executor =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
    executor.allowCoreThreadTimeOut(true);
  }

  @Override
  public void execute(Runnable task) {
    executor.execute(task);
  }
}
