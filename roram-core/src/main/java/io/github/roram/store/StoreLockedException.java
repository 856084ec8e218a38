package io.github.roram.store;

import java.io.IOException;

/** Thrown if another process, or another part of this one, has the store open. */
public final class StoreLockedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception whose message says which store is in use and how to free it. */
  public StoreLockedException(String message) {
    super(message);
  }
}
