package io.github.roram.tree;

import io.github.roram.threads.DaemonThreads;
import io.github.roram.threads.OwnedThreads;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs numbered tasks on several threads and hands back their results in order: a ring of slots,
 * each of which holds one task from its submission until it is collected. The thread that submits
 * and collects also runs tasks rather than wait.
 *
 * <p>A task's number is never reused, so that a helper that is late for a round cannot take a task
 * of the next one for its own.
 *
 * <p>One thread at a time may submit and collect; it may change between rounds, under a lock of the
 * caller's. Helpers are daemons that start when there is work for them and end when there was none
 * for a while.
 */
final class TaskRing {

  /** The lane of the thread that submits and collects; helpers have lanes from 1 on. */
  static final int CALLER = 0;

  /** A task. Tasks of one lane run one after another. */
  interface Task {
    void run(int task, int slot, int lane);
  }

  /**
   * How often a thread checks for work before it sleeps: for some microseconds, because others may
   * need its processor.
   */
  private static final int SPINS = 200;

  /** Least number of waiting tasks for which a helper is woken. */
  private static final int WAKE_TASKS = 4;

  private static final long IDLE_NANOS = 5_000_000_000L;

  /** How long to wait for a helper that lost its processor in the middle of a task. */
  private static final long SHORT_WAIT_NANOS = 20_000;

  private final int mask;
  private final AtomicLong claimed = new AtomicLong();

  /** Number, plus 1, of the last completed task of each slot. */
  private final AtomicLongArray done;

  private final @Nullable RuntimeException[] failures;
  private final @Nullable Thread[] helpers;
  private final AtomicLongArray asleep;
  private volatile long submitted;
  private volatile boolean stopped;
  private boolean wakes;
  private long collected;
  private long base;
  private Task task = (number, slot, lane) -> {};

  /**
   * Creates a ring.
   *
   * @param threads number of threads that run tasks, including the caller; at least 1
   * @param slots a power of two; most tasks that are submitted and not collected
   */
  TaskRing(int threads, int slots) {
    mask = slots - 1;
    done = new AtomicLongArray(slots);
    failures = new RuntimeException[slots];
    helpers = new Thread[threads - 1];
    asleep = new AtomicLongArray(threads);
  }

  /**
   * Begins a round; tasks are numbered from 0 on.
   *
   * @param wakes whether helpers that sleep are woken for it
   */
  void begin(Task newTask, boolean wakes) {
    base = submitted;
    task = newTask;
    this.wakes = wakes;
  }

  /** Returns whether no task can be submitted before one is collected. */
  boolean isFull() {
    return submitted - collected > mask;
  }

  /** Returns whether there is no task to collect. */
  boolean isEmpty() {
    return submitted == collected;
  }

  /** Returns the slot of a task of this round, by its number. */
  int slot(int number) {
    return (int) (base + number) & mask;
  }

  /** Submits the next task. */
  void submit() {
    long count = submitted + 1;
    submitted = count;
    if (wakes && helpers.length > 0 && count - claimed.get() >= WAKE_TASKS) {
      wake();
    }
  }

  /** Runs tasks until at most this many wait for a thread. */
  void runUntilFew(int waiting) {
    while (submitted - claimed.get() > waiting) {
      runOne(CALLER);
    }
  }

  /**
   * Waits for the oldest task, and runs others in the meantime.
   *
   * @return the task's slot
   * @throws RuntimeException the exception of the task; an error arrives wrapped in one
   */
  int collect() {
    long number = collected;
    int slot = (int) number & mask;
    await(number);
    collected = number + 1;
    RuntimeException failure = failures[slot];
    if (failure != null) {
      failures[slot] = null;
      throw failure;
    }
    return slot;
  }

  /** Ends a round: drops the tasks that no thread has begun, and waits for the others. */
  void end() {
    long dropped = claimed.getAndSet(submitted);
    while (collected < dropped) {
      await(collected++);
    }
    collected = submitted;
    Arrays.fill(failures, null);
  }

  private void await(long number) {
    int slot = (int) number & mask;
    for (int spins = 0; done.get(slot) != number + 1; spins++) {
      if (runOne(CALLER)) {
        spins = 0;
      } else if (spins > SPINS) {
        LockSupport.parkNanos(this, SHORT_WAIT_NANOS);
      } else {
        Thread.onSpinWait();
      }
    }
  }

  /** Runs the oldest unclaimed task, if any; returns whether it ran one. */
  boolean runOne(int lane) {
    long number = claimed.get();
    if (number >= submitted || !claimed.compareAndSet(number, number + 1)) {
      return false;
    }
    int slot = (int) number & mask;
    try {
      task.run((int) (number - base), slot, lane);
    } catch (RuntimeException e) {
      failures[slot] = e;
    } catch (Error e) {
      failures[slot] = new IllegalStateException("a task failed: " + e, e);
    }
    done.set(slot, number + 1);
    return true;
  }

  private void wake() {
    for (int i = 0; i < helpers.length; i++) {
      Thread helper = helpers[i];
      int lane = i + 1;
      if (helper == null || !helper.isAlive()) {
        asleep.set(lane, 0);
        helpers[i] = start(lane);
      } else if (asleep.get(lane) != 0 && asleep.compareAndSet(lane, 1, 0)) {
        LockSupport.unpark(helper);
      }
    }
  }

  private Thread start(int lane) {
    Thread thread = DaemonThreads.of("roram-crypto-" + lane, () -> help(lane));
    thread.start();
    return thread;
  }

  private void help(int lane) {
    int spins = 0;
    while (!stopped) {
      if (runOne(lane)) {
        spins = 0;
      } else if (++spins < SPINS) {
        Thread.onSpinWait();
      } else if (!sleep(lane)) {
        return;
      }
    }
  }

  /** Sleeps until woken; returns false if nothing happened for long. */
  private boolean sleep(int lane) {
    asleep.set(lane, 1);
    long deadline = System.nanoTime() + IDLE_NANOS;
    // A thread that submits a task after this check sees that the helper sleeps.
    while (submitted - claimed.get() < WAKE_TASKS && asleep.get(lane) != 0 && !stopped) {
      long remaining = deadline - System.nanoTime();
      if (remaining <= 0) {
        return false;
      }
      LockSupport.parkNanos(this, remaining);
      // An interrupt, which no code of ours sends, must not turn this into a busy loop.
      if (Thread.interrupted()) {
        return false;
      }
    }
    asleep.set(lane, 0);
    return true;
  }

  /** Ends the helpers, between rounds, and waits for them. The ring must not be used afterwards. */
  void stop() {
    stopped = true;
    for (Thread helper : helpers) {
      if (helper != null) {
        LockSupport.unpark(helper);
        OwnedThreads.join(helper);
      }
    }
  }
}
