package io.github.roram;

/** The client's saved state is missing or older than the store: the last user did not close it. */
public final class UncleanShutdownException extends OramException {
  private static final long serialVersionUID = 1L;

  /** Says what was found and what can be done. */
  public UncleanShutdownException(String message) {
    super(message);
  }

  /** As above, with what led to it. */
  public UncleanShutdownException(String message, Throwable cause) {
    super(message, cause);
  }
}
