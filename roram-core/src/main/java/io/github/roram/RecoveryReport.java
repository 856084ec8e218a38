package io.github.roram;

/**
 * What opening a store found (construction, section 6). What was recovered becomes durable with the
 * first access, or with {@link Oram#completeRecovery}.
 *
 * @param generations journals that were replayed, 0 if the store had been closed
 * @param accesses accesses that were replayed
 * @param chunks eviction chunks that were replayed
 * @param tornBytes bytes at the journal's end that were ignored because a crash left them
 *     incomplete
 * @param pendingRead whether a read of paths had begun that is not known to be complete; the same
 *     paths are read once more
 */
public record RecoveryReport(
    int generations, long accesses, long chunks, long tornBytes, boolean pendingRead) {

  /** The report of a store that had been closed. */
  public static final RecoveryReport CLEAN = new RecoveryReport(0, 0, 0, 0, false);

  /** Returns whether the store had been closed, so that nothing had to be recovered. */
  public boolean clean() {
    return generations == 0;
  }

  /** Returns this report with another value of {@code pendingRead}. */
  public RecoveryReport withPendingRead(boolean value) {
    return new RecoveryReport(generations, accesses, chunks, tornBytes, value);
  }
}
