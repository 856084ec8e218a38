package io.github.roram.session;

import io.github.roram.threads.OwnedThreads;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Runs an ORAM's turns, one after another, in order. A thread that submits a turn while no other
 * thread is at work runs it itself; turns submitted in the meantime are run by the thread that is
 * at work. A caller runs few turns of other callers; a thread of the ORAM's own, the worker, runs
 * the rest, and every turn that waits for the store or the disk.
 *
 * <p>The driver is also the ORAM's lock: when a thread has {@linkplain #enter entered}, all earlier
 * turns have been run, and no other thread runs any until it leaves.
 *
 * <p>Thread safety: safe.
 */
final class Driver implements Turns {

  /** Most turns that a caller runs before the worker takes over. */
  private static final int MOST_FOR_CALLERS = 4;

  /** How long a short turn waits for other short turns. With 1 ms, accesses were slower. */
  private static final long SHORT_WAIT_NANOS = 20_000_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Queue<Runnable> turns = new ConcurrentLinkedQueue<>();
  private final ThreadLocal<Boolean> isWorker = new ThreadLocal<>();
  private final Executor thread;
  private final Executor journalThread;

  /** Syncs that the worker makes itself, outside of turns. */
  private final Deque<Runnable> syncs = new ArrayDeque<>();

  /** Completed when a thread leaves the lock, for threads that wait for a change. */
  private final List<CompletableFuture<Void>> waiting = new ArrayList<>();

  /** Run by each thread that has left the lock. */
  private Runnable afterTurns = () -> {};

  Driver(OwnedThreads threads) {
    thread = threads.serial("roram-accesses");
    journalThread = threads.serial("roram-journal");
  }

  /** Sets an action that every thread runs after its turns, outside of the lock. */
  void afterTurns(Runnable action) {
    afterTurns = action;
  }

  /** Returns whether this is the worker's thread. */
  boolean isWorker() {
    return isWorker.get() != null;
  }

  /** Returns whether this is the worker's thread and there are no turns to run. */
  boolean isFreeWorker() {
    return isWorker() && turns.isEmpty();
  }

  /** Returns whether other callers wait for the lock. */
  boolean isAwaited() {
    return lock.hasQueuedThreads();
  }

  /**
   * Waits until no other thread is at work, and takes the lock.
   *
   * @throws IllegalStateException if this thread has the lock already, and was called back
   */
  void enter() {
    lock.lock();
    if (lock.getHoldCount() > 1) {
      lock.unlock();
      throw new IllegalStateException(
          "called from within a scan, a load or a check of the same ORAM; wait until it is done");
    }
    runTurns(Integer.MAX_VALUE);
  }

  /** Undoes {@link #enter}, and runs the turns that were submitted in the meantime. */
  void leave() {
    unlock();
    drive();
  }

  /** Returns a view, taken under the lock, of state that turns change. May be called on a turn. */
  <T> T lookNow(Supplier<T> view) {
    lock.lock();
    try {
      return view.get();
    } finally {
      lock.unlock();
      drive();
    }
  }

  @Override
  public <T> T look(Supplier<T> view) {
    if (isWorker() || lock.isHeldByCurrentThread()) {
      return lookNow(view);
    }
    return CompletableFuture.supplyAsync(view, this::later).join();
  }

  /** Leaves, waits until turns have been run, and enters again. For use after {@link #enter}. */
  void awaitChange() {
    CompletableFuture<Void> changed = new CompletableFuture<>();
    waiting.add(changed);
    lock.unlock();
    afterTurns.run();
    drive();
    changed.join();
    enter();
  }

  @Override
  public void execute(Runnable turn) {
    turns.add(turn);
    drive();
  }

  @Override
  public void executeHere(Runnable turn) {
    if (lock.isHeldByCurrentThread() || !isMine()) {
      execute(turn);
      return;
    }
    try {
      runTurns(Integer.MAX_VALUE);
      turn.run();
    } finally {
      unlock();
    }
    drive();
  }

  /**
   * Returns whether the lock was free, or became free within {@link #SHORT_WAIT_NANOS}; this thread
   * then has it. If turns are queued, another thread is at work and waiting would be in vain.
   */
  private boolean isMine() {
    try {
      return lock.tryLock()
          || (turns.isEmpty() && lock.tryLock(SHORT_WAIT_NANOS, TimeUnit.NANOSECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void drive() {
    if (turns.isEmpty()) {
      return;
    }
    int most = isWorker() ? Integer.MAX_VALUE : MOST_FOR_CALLERS;
    while (!turns.isEmpty() && !mustSync() && !lock.isHeldByCurrentThread() && lock.tryLock()) {
      try {
        runTurns(most);
      } finally {
        unlock();
      }
      if (most == MOST_FOR_CALLERS && !turns.isEmpty() && isTakenOver()) {
        return;
      }
    }
  }

  /**
   * Hands the remaining turns to the worker. Returns false if there is no thread for it, so that
   * the caller must continue.
   */
  private boolean isTakenOver() {
    try {
      work(this::drive);
      return true;
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      return false;
    }
  }

  private void runTurns(int most) {
    Runnable turn = turns.poll();
    for (int done = 1; turn != null; done++) {
      turn.run();
      turn = done < most && !mustSync() ? turns.poll() : null;
    }
  }

  /**
   * Returns whether this is the worker and it has a sync to make, which comes before further turns.
   */
  private boolean mustSync() {
    return isWorker() && !syncs.isEmpty();
  }

  private void unlock() {
    List<CompletableFuture<Void>> told = List.of();
    if (!waiting.isEmpty()) {
      told = List.copyOf(waiting);
      waiting.clear();
    }
    lock.unlock();
    told.forEach(each -> each.complete(null));
    afterTurns.run();
  }

  @Override
  public boolean mayWait() {
    return isWorker();
  }

  @Override
  public void later(Runnable turn) {
    work(
        () -> {
          lock.lock();
          try {
            turn.run();
            runTurns(Integer.MAX_VALUE);
          } finally {
            unlock();
          }
          drive();
        });
  }

  /** Runs a task on the worker's thread, then the syncs that the task has left to it. */
  private void work(Runnable task) {
    thread.execute(
        () -> {
          isWorker.set(true);
          try {
            task.run();
            for (Runnable sync = syncs.poll(); sync != null; sync = syncs.poll()) {
              sync.run();
              drive();
            }
          } finally {
            isWorker.remove();
          }
        });
  }

  @Override
  public void sync(Runnable sync, boolean nobodyElse) {
    if (nobodyElse && isWorker()) {
      syncs.add(sync);
    } else {
      journalThread.execute(sync);
    }
  }
}
