package io.github.roram.session;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
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
   * None yet.
   *
   * @param thread tells those that cannot be told at once
   * @param mayBeAtOnce whether any can
   */
  Answers(Driver driver, CallPermits permits, Executor thread, boolean mayBeAtOnce) {
    this.mayBeAtOnce = mayBeAtOnce;
    this.driver = driver;
    this.permits = permits;
    this.thread = thread;
  }

  /** A call is done. On a turn. */
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
    } catch (RuntimeException | Error e) { // no thread to be had for it, whatever is thrown
      tell(Integer.MAX_VALUE);
    }
  }

  /** Nothing depends yet on what is being made here. */
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
