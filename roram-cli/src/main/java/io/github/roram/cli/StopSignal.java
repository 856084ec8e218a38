package io.github.roram.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets work that made temporary files clean up when the process is asked to end: the work sees the
 * signal at its next {@link #check}, and the process waits until it is closed.
 */
final class StopSignal implements AutoCloseable {

  /** Work stopped because the process was asked to end. */
  static final class InterruptedTransferException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InterruptedTransferException() {
      super("interrupted");
    }
  }

  private static final long PATIENCE_SECONDS = 30;

  private final CountDownLatch cleanedUp = new CountDownLatch(1);
  private final Thread hook = new Thread(this::stop, "roram-stop");
  private volatile boolean stopping;

  private StopSignal() {}

  /** Watches for the end of the process until it is closed. */
  static StopSignal install() {
    StopSignal signal = new StopSignal();
    addHook(signal.hook);
    return signal;
  }

  /**
   * Call this often.
   *
   * @throws InterruptedTransferException if the process is ending
   */
  void check() {
    if (stopping) {
      throw new InterruptedTransferException();
    }
  }

  /** Returns whether the process is ending. */
  boolean isStopping() {
    return stopping;
  }

  private void stop() {
    stopping = true;
    try {
      if (!cleanedUp.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("roram: temporary files could not be removed in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    cleanedUp.countDown();
    if (!stopping) {
      removeHook(hook);
    }
  }

  /**
   * Has a hook run when the process ends.
   *
   * @throws InterruptedTransferException if the process is ending already
   */
  static void addHook(Thread hook) {
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) {
      throw new InterruptedTransferException();
    }
  }

  /** Takes a hook back, unless the process began to end just now: it then finds nothing to do. */
  static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending.
    }
  }
}
