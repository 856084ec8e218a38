package io.github.roram.threads;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads that keep no process alive. */
public final class DaemonThreads {

  private static final int IDLE_SECONDS = 10;

  private DaemonThreads() {}

  /** A thread of this name, which is not started yet. */
  public static Thread of(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /**
   * A pool of up to so many threads of this name, none of which is started yet, and which end after
   * some seconds without work.
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
