package io.github.roram;

/** Is told how far a verification is. */
@FunctionalInterface
public interface VerifyProgress {

  /**
   * From time to time.
   *
   * @param doneBytes bytes of the store that were checked
   * @param totalBytes all that there are to check; the same at every call
   */
  void advancedTo(long doneBytes, long totalBytes);
}
