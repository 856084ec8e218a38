package io.github.roram;

/** Base of roram's unchecked exceptions. Failures of the medium remain {@code IOException}s. */
public abstract sealed class OramException extends RuntimeException
    permits ConfigurationException,
        IntegrityException,
        StashOverflowException,
        UncleanShutdownException,
        WrongKeyException {
  private static final long serialVersionUID = 1L;

  OramException(String message) {
    super(message);
  }

  OramException(String message, Throwable cause) {
    super(message, cause);
  }
}
