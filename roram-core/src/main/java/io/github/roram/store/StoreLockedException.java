package io.github.roram.store;

import java.io.IOException;

/** Another process, or another part of this one, has the store open. Nothing was touched. */
public final class StoreLockedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Says which store is held and how to free it. */
  public StoreLockedException(String message) {
    super(message);
  }
}
