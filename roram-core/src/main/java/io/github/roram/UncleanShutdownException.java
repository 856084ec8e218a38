package io.github.roram;

/** Thrown if the client's saved state is missing or older than the store: it was not closed. */
public final class UncleanShutdownException extends OramException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception whose message says what was found and what can be done. */
  public UncleanShutdownException(String message) {
    super(message);
  }

  /** Creates an exception with a message like that, and with its cause. */
  public UncleanShutdownException(String message, Throwable cause) {
    super(message, cause);
  }
}
