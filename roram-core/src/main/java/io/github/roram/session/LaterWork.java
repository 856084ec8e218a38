package io.github.roram.session;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Does what an access leaves for after its answer, on a daemon thread that ends when there was
 * nothing to do for a while. Thread safe.
 */
final class LaterWork {

  private static final long IDLE_SECONDS = 5;

  private final ThreadPoolExecutor executor;
  private final Runnable work;

  /** Work that does nothing where nothing is left. */
  LaterWork(Runnable work) {
    this.work = work;
    executor =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "roram-evictions");
              thread.setDaemon(true);
              return thread;
            },
            new ThreadPoolExecutor.DiscardPolicy());
    executor.allowCoreThreadTimeOut(true);
  }

  /** Has the work done soon; once for all who ask before it begins. */
  void request() {
    if (executor.getQueue().isEmpty()) {
      executor.execute(work);
    }
  }

  /** Begins no more work. */
  void stop() {
    executor.shutdown();
    executor.getQueue().clear();
  }
}
