package io.github.roram.store;

import java.io.IOException;

/** Thrown if part of a store is missing, truncated or of another store: restore it from a copy. */
public final class StoreDamagedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception whose message says which part, what was expected and what was found. */
  public StoreDamagedException(String message) {
    super(message);
  }

  /** Creates an exception with such a message and the medium's failure as its cause. */
  public StoreDamagedException(String message, Throwable cause) {
    super(message, cause);
  }
}
