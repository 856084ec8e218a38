package io.github.roram;

/**
 * Thrown when the store returned something other than what was last written there: corrupt, forged,
 * moved or rolled back.
 */
public sealed class IntegrityException extends OramException permits StaleRecordsException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception whose message names the place and what was found there. */
  public IntegrityException(String message) {
    super(message);
  }

  /** Creates an exception with a message like that, and with its cause. */
  public IntegrityException(String message, Throwable cause) {
    super(message, cause);
  }
}
