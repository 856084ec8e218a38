package io.github.roram;

/** Thrown when the key does not belong to the store. */
public final class WrongKeyException extends OramException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception whose message names the store. */
  public WrongKeyException(String message) {
    super(message);
  }
}
