package io.github.roram.detwo;

import io.github.roram.threads.DaemonThreads;
import io.github.roram.threads.OwnedThreads;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

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
    thread = DaemonThreads.of(name, this::work);
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
      if (!SpinWait.sees(isWanted)) {
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

  /**
   * Opens once, whoever opens it; one thread may wait for that, and sleeps only if it takes long.
   */
  static final class Latch {

    private final BooleanSupplier isOpen = this::isOpen;
    private volatile boolean open;
    private volatile @Nullable Thread asleep;

    boolean isOpen() {
      return open;
    }

    /** Opens it; wakes who sleeps before it, and costs little if nobody does. */
    void open() {
      open = true;
      Thread waiting = asleep;
      if (waiting != null) {
        LockSupport.unpark(waiting);
      }
    }

    /** Waits until it is open. Interrupts are kept for later. */
    void await() {
      if (!SpinWait.sees(isOpen)) {
        sleep();
      }
    }

    /** Who opens sees the sleeper, or the sleeper sees that it is open. */
    private void sleep() {
      boolean interrupted = false;
      asleep = Thread.currentThread();
      while (!open) {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
      asleep = null;
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Looking out for what another thread does within microseconds, before one sleeps: to fall asleep
   * and to be woken takes as long as refreshing a dozen pages. After a while other threads that
   * want the processor come first. Who has the only processor does not look, since nothing can
   * happen meanwhile.
   */
  static final class SpinWait {

    /**
     * As long as sleeping and waking a few times; less than a moment to the rest of the machine.
     */
    private static final long AWAKE_NANOS = 200_000;

    /** What is soon there is so by then. */
    private static final long ALONE_NANOS = 20_000;

    /** Between looks at the clock. */
    private static final int LOOKS = 16;

    private static final boolean ONE_PROCESSOR = Runtime.getRuntime().availableProcessors() == 1;

    private SpinWait() {}

    /** Looks until it happens, or for a while; whether it has happened. */
    static boolean sees(BooleanSupplier event) {
      return sees(event, ONE_PROCESSOR);
    }

    /** As above; {@code alone} if nothing can happen meanwhile. */
    @SuppressWarnings("ThreadPriorityCheck") // a hint, nothing relies on it
    static boolean sees(BooleanSupplier event, boolean alone) {
      if (alone) {
        return event.getAsBoolean();
      }
      long start = System.nanoTime();
      for (long waited = 0; waited < AWAKE_NANOS; waited = System.nanoTime() - start) {
        if (waited > ALONE_NANOS) {
          Thread.yield();
        }
        for (int i = 0; i < LOOKS; i++) {
          if (event.getAsBoolean()) {
            return true;
          }
          Thread.onSpinWait();
        }
      }
      return event.getAsBoolean();
    }
  }
}
