package io.github.roram;

/**
 * The store is whole, and the client's own records are older than what it witnesses: they were put
 * back, or cut. The newest records help; a copy of the store does not.
 */
public final class StaleRecordsException extends IntegrityException {
  private static final long serialVersionUID = 1L;

  /** Says how much older, and what to do. */
  public StaleRecordsException(String message) {
    super(message);
  }
}
