package io.github.roram.netserver;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What one connection holds of the server's memory for answers: read from a store, and not yet
 * sent.
 *
 * <p>Thread safety: safe.
 */
final class SendingMemory {

  private final MemoryBudget budget;
  private final AtomicLong heldBytes = new AtomicLong();

  SendingMemory(MemoryBudget budget) {
    this.budget = budget;
  }

  /**
   * Takes memory for a frame of an answer; else calls {@code later} once there is some. A
   * connection that holds none gets it in any case: slow readers do not keep others waiting.
   */
  boolean take(int bytes, Runnable later) {
    if (heldBytes.compareAndSet(0, bytes)) {
      budget.take(bytes);
      return true;
    }
    if (!budget.tryTake(bytes, later)) {
      return false;
    }
    heldBytes.addAndGet(bytes);
    return true;
  }

  /** The frame was sent, or dropped. */
  void give(int bytes) {
    boolean none = heldBytes.addAndGet(-bytes) == 0;
    budget.give(bytes);
    if (none) {
      budget.tellAll();
    }
  }
}
