package io.github.roram.detwo;

import io.github.roram.threads.DaemonThreads;
import io.github.roram.threads.OwnedThreads;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread that does one task at a time for an engine, from its first task to the engine's end. It
 * spins for a moment before it sleeps, since another write may follow soon.
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

  /** Hands over a task, in place of one that was not begun. The task must throw nothing. */
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

  /**
   * Sleeps until there is a task. Either {@link #start} sees the flag and wakes this thread, or
   * this thread sees the task.
   */
  private void sleep() {
    asleep = true;
    while (!isWanted()) {
      LockSupport.park(this);
    }
    asleep = false;
  }

  /** Ends the thread, after the task that was begun. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    OwnedThreads.join(thread);
  }

  /**
   * A latch that any thread may open, once. One thread may wait for it, and sleeps only if the wait
   * is long.
   */
  static final class Latch {

    private final BooleanSupplier isOpen = this::isOpen;
    private volatile boolean open;
    private volatile @Nullable Thread asleep;

    boolean isOpen() {
      return open;
    }

    /** Opens the latch, and wakes the thread that sleeps before it; cheap if none does. */
    void open() {
      open = true;
      Thread waiting = asleep;
      if (waiting != null) {
        LockSupport.unpark(waiting);
      }
    }

    /** Waits until the latch is open. Interrupts are kept for later. */
    void await() {
      if (!SpinWait.sees(isOpen)) {
        sleep();
      }
    }

    /** Sleeps. Either the opener sees the sleeper, or the sleeper sees that the latch is open. */
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
   * A short spin for an event that another thread brings about within microseconds, before this
   * thread sleeps: falling asleep and being woken takes as long as refreshing a dozen pages. After
   * a while, other threads that want the processor go first. With one processor there is no spin,
   * since nothing can happen during it.
   */
  static final class SpinWait {

    /**
     * Longest spin: as long as sleeping and waking a few times, short for the rest of the machine.
     */
    private static final long AWAKE_NANOS = 200_000;

    /** Time after which the spin yields; events that come soon have come by then. */
    private static final long ALONE_NANOS = 20_000;

    /** Tests of the event between looks at the clock. */
    private static final int LOOKS = 16;

    private static final boolean ONE_PROCESSOR = Runtime.getRuntime().availableProcessors() == 1;

    private SpinWait() {}

    /** Spins until the event happens, or for a while; returns whether it has happened. */
    static boolean sees(BooleanSupplier event) {
      return sees(event, ONE_PROCESSOR);
    }

    /** As above; {@code alone} if the event cannot happen during a spin. */
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
