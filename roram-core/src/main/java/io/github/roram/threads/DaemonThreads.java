package io.github.roram.threads;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads that keep no process alive. */
public final class DaemonThreads {

  private static final int IDLE_SECONDS = 10;

  private DaemonThreads() {}

  /** Returns a daemon thread with a name, not started yet. */
  public static Thread of(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Returns a pool of up to {@code threads} daemon threads with a name, which start when needed and
   * end after some seconds without work.
   */
  public static ThreadPoolExecutor pool(String name, int threads) {
    return pool(threads, IDLE_SECONDS, task -> of(name, task));
  }

  static ThreadPoolExecutor pool(int threads, long idleSeconds, ThreadFactory maker) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads, threads, idleSeconds, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), maker);
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }
}
