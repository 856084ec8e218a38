package io.github.roram.store;

import java.io.IOException;

/** The medium below a store has no room left. Free some, then repeat the call: nothing was lost. */
public final class StoreFullException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Says which file or volume is full and how much it lacked. */
  public StoreFullException(String message, Throwable cause) {
    super(message, cause);
  }
}
