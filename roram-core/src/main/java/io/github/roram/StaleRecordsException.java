package io.github.roram;

/**
 * Thrown when the store is intact, and the client's own records are older than its witness says:
 * they were put back, or truncated. The remedy is the newest records, not a copy of the store.
 */
public final class StaleRecordsException extends IntegrityException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception whose message says how much older they are, and what to do. */
  public StaleRecordsException(String message) {
    super(message);
  }
}
