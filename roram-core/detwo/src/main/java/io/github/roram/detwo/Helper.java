package io.github.roram.detwo;

import io.github.roram.threads.OwnedThreads;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A thread that does one task at a time for an engine, from its first task to the engine's end. It
 * looks out for the next task for a moment before it sleeps, since a write may follow a write.
 */
final class Helper implements AutoCloseable {

  private final AtomicReference<Runnable> next = new AtomicReference<>();
  private final BooleanSupplier isWanted = this::isWanted;
  private final Thread thread;
  private volatile boolean asleep;
  private volatile boolean closed;

  Helper(String name) {
    thread = new Thread(this::work, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Has a task done soon, in place of one that was not begun. The task throws nothing. */
  void start(Runnable task) {
    next.set(task);
    if (asleep) {
      LockSupport.unpark(thread);
    }
  }

  private void work() {
    while (!closed) {
      if (!Lookout.sees(isWanted)) {
        sleep();
      }
      Runnable task = next.getAndSet(null);
      if (task != null) {
        task.run();
      }
    }
  }

  private boolean isWanted() {
    return next.get() != null || closed;
  }

  /** Until there is something to do; who sees the flag wakes, who does not was seen. */
  private void sleep() {
    asleep = true;
    while (!isWanted()) {
      LockSupport.park(this);
    }
    asleep = false;
  }

  /** Ends the thread; a task that was begun is done first. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    OwnedThreads.join(thread);
  }
}
