package io.github.roram.storage.remote;

/** Waiting that an interrupt does not break off; the thread's flag is kept. */
final class Waits {

  private Waits() {}

  /** Sleeps. */
  static void sleep(long nanos) {
    Object monitor = new Object();
    long deadline = System.nanoTime() + nanos;
    synchronized (monitor) {
      boolean interrupted = false;
      for (long left = nanos; left > 0; left = deadline - System.nanoTime()) {
        interrupted |= await(monitor, left);
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Waits once on a monitor that the caller holds.
   *
   * @return whether the thread was interrupted: its flag is cleared, so that it can wait again
   */
  @SuppressWarnings({"WaitNotInLoop", "CallToWait"})
  static boolean await(Object monitor, long nanos) {
    try {
      monitor.wait(Math.max(1, nanos / 1_000_000));
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }
}
