package io.github.roram;

/** The key does not belong to this store. */
public final class WrongKeyException extends OramException {
  private static final long serialVersionUID = 1L;

  /** Names the store. */
  public WrongKeyException(String message) {
    super(message);
  }
}
