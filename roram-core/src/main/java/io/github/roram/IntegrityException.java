package io.github.roram;

/**
 * What the store returned is not what was last written there: corrupt, forged, moved or rolled
 * back.
 */
public sealed class IntegrityException extends OramException permits StaleRecordsException {
  private static final long serialVersionUID = 1L;

  /** Names the place and what was found there. */
  public IntegrityException(String message) {
    super(message);
  }

  /** As above, with what led to it. */
  public IntegrityException(String message, Throwable cause) {
    super(message, cause);
  }
}
