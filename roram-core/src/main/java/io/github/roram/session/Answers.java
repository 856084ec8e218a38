package io.github.roram.session;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Completes the futures of calls, one after another in their order, and outside of turns. A call
 * that is done before its method returns is answered at once, and so is one whose caller only
 * waits. Stages run on a thread of their own, so that neither turns nor syncs wait for them.
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
   * Creates an empty queue of answers.
   *
   * @param thread completes futures that cannot be completed at once
   * @param mayBeAtOnce whether futures may be completed at once, on the thread that ran turns
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

  /** Answers the calls that are done. Must not be called on a turn. */
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
    } catch (RuntimeException | Error e) { // no thread is available, whatever is thrown
      tell(Integer.MAX_VALUE);
    }
  }

  /** Answers a call. While this thread is making the call, no stage can depend on its future. */
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
