package io.github.roram.journal;

/**
 * What opening a store found and did.
 *
 * @param generations journals replayed, 0 if the store had been closed
 * @param accesses accesses that were replayed
 * @param chunks eviction chunks that were replayed
 * @param tornBytes bytes at the journal's end that a crash left incomplete, and that were ignored
 */
public record RecoveryReport(int generations, long accesses, long chunks, long tornBytes) {

  /** The store had been closed. */
  public static final RecoveryReport CLEAN = new RecoveryReport(0, 0, 0, 0);
}
