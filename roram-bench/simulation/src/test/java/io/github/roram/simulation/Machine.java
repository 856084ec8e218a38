package io.github.roram.simulation;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * A machine, on which one process lives after another, and does one thing at a time. Where there
 * are several, one that waits lets the others go on meanwhile: each has a thread, of which one at a
 * time has the turn.
 */
final class Machine implements AutoCloseable {

  private final World world;
  private final @Nullable Thread thread;
  private final Semaphore turn = new Semaphore(0);
  private final Semaphore back = new Semaphore(0);
  private final Queue<Runnable> due = new ArrayDeque<>();
  private boolean busy;
  private boolean over;
  private @Nullable Throwable failure;

  /** The wait that it is in, or was in last. */
  private long wait;

  private boolean waiting;
  private long stoppedUntil;

  /**
   * An idle one.
   *
   * @param alone whether it is the only one, which needs no thread of its own
   */
  Machine(World world, boolean alone) {
    this.world = world;
    thread = alone ? null : new Thread(this::live, "simulated machine");
    if (thread != null) {
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** Does something, after all that it is to do already. */
  void run(Runnable action) {
    if (thread == null && world.now() >= stoppedUntil) {
      action.run();
    } else if (world.now() < stoppedUntil) {
      world.after(stoppedUntil - world.now(), () -> run(action));
    } else {
      due.add(action);
      next();
    }
  }

  private void next() {
    while (!busy && !due.isEmpty()) {
      busy = true;
      takeTurn();
    }
  }

  private void takeTurn() {
    turn.release();
    back.acquireUninterruptibly();
    Throwable thrown = failure;
    failure = null;
    if (thrown instanceof Error error) {
      throw error;
    }
    if (thrown instanceof RuntimeException exception) {
      throw exception;
    }
  }

  /** Of its thread. */
  @SuppressWarnings("CatchingUnchecked")
  private void live() {
    turn.acquireUninterruptibly();
    while (!over) {
      try {
        due.remove().run();
      } catch (Throwable e) { // whatever it is, the simulation ends by it
        failure = e;
      }
      busy = false;
      if (!over) {
        back.release();
        turn.acquireUninterruptibly();
      }
    }
    back.release();
  }

  /** Waits within what it does. */
  void spend(long nanos) {
    long until = world.now() + nanos;
    do {
      until = Math.max(until, stoppedUntil);
      if (Thread.currentThread() != thread || world.isIdleUntil(until)) {
        world.spend(until - world.now());
      } else {
        long mine = ++wait;
        waiting = true;
        world.after(until - world.now(), () -> resume(mine));
        back.release();
        turn.acquireUninterruptibly();
      }
    } while (world.now() < stoppedUntil);
  }

  private void resume(long waited) {
    if (waiting && waited == wait) {
      waiting = false;
      takeTurn();
      next();
    }
  }

  /** It does nothing for so long. */
  void stop(long nanos) {
    stoppedUntil = world.now() + nanos;
  }

  /** Whatever it waits for, or does not do because it is stopped, comes to an end. */
  void wake() {
    stoppedUntil = 0;
    long waited = wait;
    world.after(0, () -> resume(waited));
  }

  /** Whether it does nothing. */
  boolean isIdle() {
    return !busy;
  }

  /** Ends its thread; what lived on it is dead. */
  @Override
  public void close() {
    if (thread != null) {
      over = true;
      stoppedUntil = 0; // time does not go on any more
      do {
        turn.release();
        back.acquireUninterruptibly();
      } while (busy);
    }
  }
}
