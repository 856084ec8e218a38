package io.github.roram;

/**
 * What opening a store found (construction, section 6). Nothing of it is made durable before the
 * first access, or {@link Oram#completeRecovery}.
 *
 * @param generations journals replayed, 0 if the store had been closed
 * @param accesses accesses that were replayed
 * @param chunks eviction chunks that were replayed
 * @param tornBytes bytes at the journal's end that a crash left incomplete, and that were ignored
 * @param pendingRead whether a read of paths had begun that is not known to be complete: the same
 *     paths are read once more
 */
public record RecoveryReport(
    int generations, long accesses, long chunks, long tornBytes, boolean pendingRead) {

  /** The store had been closed. */
  public static final RecoveryReport CLEAN = new RecoveryReport(0, 0, 0, 0, false);

  /** Whether the store had been closed, so that nothing had to be recovered. */
  public boolean clean() {
    return generations == 0;
  }

  /** This report of an ORAM that has, or has not, a read to repeat. */
  public RecoveryReport withPendingRead(boolean value) {
    return new RecoveryReport(generations, accesses, chunks, tornBytes, value);
  }
}
