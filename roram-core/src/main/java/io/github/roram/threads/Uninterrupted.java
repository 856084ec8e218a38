package io.github.roram.threads;

/** Waiting that interrupts do not break off; the thread's flag is kept. */
public final class Uninterrupted {

  private Uninterrupted() {}

  /** Waits. */
  @FunctionalInterface
  public interface Waiting<E extends Exception> {
    void await() throws InterruptedException, E;
  }

  /** Waits, and again whenever that is interrupted. */
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
