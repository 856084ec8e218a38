package io.github.roram;

/** Receives the progress of a verification. */
@FunctionalInterface
public interface VerifyProgress {

  /**
   * Reports the progress from time to time.
   *
   * @param doneBytes bytes of the store that have been checked
   * @param totalBytes bytes to check in all; the same at every call
   */
  void advancedTo(long doneBytes, long totalBytes);
}
