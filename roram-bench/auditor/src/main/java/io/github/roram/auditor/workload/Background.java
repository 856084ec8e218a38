package io.github.roram.auditor.workload;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread that makes an ORAM's checkpoints. When it is ready decides where the next checkpoint
 * may begin, which would make runs differ though nothing secret does.
 */
final class Background {

  private static final String CHECKPOINTS = "roram-checkpoint";
  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  /** What was handed to a thread that is idle is taken up a moment later. */
  private static final int IDLE_TWICE = 2;

  private Background() {}

  /** Waits until no checkpoint is under way; at once if there never was one. */
  static void awaitIdle() {
    int idle = 0;
    for (Work work = work(); work != Work.NO_THREAD && idle < IDLE_TWICE; work = work()) {
      idle = work == Work.IDLE ? idle + 1 : 0;
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private enum Work {
    NO_THREAD,
    IDLE,
    UNDER_WAY
  }

  private static Work work() {
    Thread[] threads = new Thread[2 * Thread.activeCount() + 1];
    int count = Thread.enumerate(threads);
    Work work = Work.NO_THREAD;
    for (int i = 0; i < count; i++) {
      if (threads[i].getName().equals(CHECKPOINTS)) {
        if (threads[i].getState() != Thread.State.WAITING) {
          return Work.UNDER_WAY;
        }
        work = Work.IDLE;
      }
    }
    return work;
  }
}
