package io.github.roram.session;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells callers what became of their calls: one after another in their order, and outside of turns.
 * A call that is done before it returns is told at once, and so is one that somebody just waits
 * for; what depends on others is run by a thread of its own, so that neither turns nor syncs wait
 * for it.
 *
 * <p>Thread safety: safe.
 */
final class Answers {

  private final Queue<Call> done = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean telling = new AtomicBoolean();
  private final Driver driver;
  private final CallPermits permits;
  private final Executor thread;
  private final boolean mayBeAtOnce;

  /**
   * Creates the queue of answers, which is empty.
   *
   * @param thread completes futures that cannot be completed at once
   * @param mayBeAtOnce whether any may be completed at once
   */
  Answers(Driver driver, CallPermits permits, Executor thread, boolean mayBeAtOnce) {
    this.mayBeAtOnce = mayBeAtOnce;
    this.driver = driver;
    this.permits = permits;
    this.thread = thread;
  }

  /** Adds a call that is done. For use on a turn. */
  void add(Call call) {
    done.add(call);
  }

  /** Has those told that are done. Not on a turn. */
  void tell() {
    Call first = done.peek();
    if (first == null) {
      return;
    }
    if (mayBeAtOnce && (first.isBeingMadeHere() || (driver.isFreeWorker() && !first.hasStages()))) {
      tell(1);
    }
    if (done.isEmpty()) {
      return;
    }
    try {
      thread.execute(() -> tell(Integer.MAX_VALUE));
    } catch (RejectedExecutionException | OutOfMemoryError e) { // no thread to be had for it
      tell(Integer.MAX_VALUE);
    }
  }

  /** Nothing yet depends on a future that this thread is still creating. */
  private void tell(Call call) {
    if (call.isBeingMadeHere()) {
      call.answer();
    } else {
      permits.run(call::answer);
    }
  }

  private void tell(int most) {
    while (!done.isEmpty() && telling.compareAndSet(false, true)) {
      try {
        Call call = done.poll();
        for (int told = 1; call != null; told++) {
          tell(call);
          call = told < most ? done.poll() : null;
        }
      } finally {
        telling.set(false);
      }
      if (most == 1) {
        return;
      }
    }
  }
}
