package io.github.roram.session;

/**
 * Completes futures, and knows whether a stage of one is running on this thread. Such a stage must
 * not wait for what comes behind it on the same thread.
 *
 * <p>Thread safety: safe.
 */
final class Stages {

  private final ThreadLocal<Boolean> running = new ThreadLocal<>();

  /** Completes futures; their stages run meanwhile. */
  void run(Runnable completion) {
    boolean nested = isHere();
    running.set(true);
    try {
      completion.run();
    } finally {
      if (!nested) {
        running.remove();
      }
    }
  }

  /** Whether this is called by a stage. */
  boolean isHere() {
    return running.get() != null;
  }

  /**
   * To be called before something that waits for stages.
   *
   * @throws IllegalStateException if this is called by one
   */
  void requireElsewhere() {
    if (isHere()) {
      throw new IllegalStateException("closed by what a future completed; use another thread");
    }
  }
}
