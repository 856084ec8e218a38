package io.github.roram.store;

import java.io.IOException;

/** Thrown if the medium below a store is full. Free space and repeat the call: nothing was lost. */
public final class StoreFullException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception whose message says which file or volume is full and how much it lacks. */
  public StoreFullException(String message, Throwable cause) {
    super(message, cause);
  }
}
