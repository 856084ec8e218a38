package io.github.roram.store;

import java.io.IOException;

/** A part of a store is missing, truncated or of another store: restore it from a copy. */
public final class StoreDamagedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Says which part is damaged, what was expected and what was found. */
  public StoreDamagedException(String message) {
    super(message);
  }

  /** As above, with what the medium said. */
  public StoreDamagedException(String message, Throwable cause) {
    super(message, cause);
  }
}
