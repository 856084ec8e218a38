package io.github.roram.threads;

/** Waits that interrupts do not end; the interrupt of the thread stays set. */
public final class Uninterrupted {

  private Uninterrupted() {}

  /** A wait that an interrupt ends. */
  @FunctionalInterface
  public interface Waiting<E extends Exception> {
    void await() throws InterruptedException, E;
  }

  /** Waits, and waits again after each interrupt. */
  public static <E extends Exception> void await(Waiting<E> waiting) throws E {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          waiting.await();
          return;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
