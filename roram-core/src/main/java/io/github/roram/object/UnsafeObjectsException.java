package io.github.roram.object;

import java.io.IOException;

/** An engine does not keep the contract on which safety rests: no store may be in it. */
public final class UnsafeObjectsException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Says which engine, and what it did. */
  public UnsafeObjectsException(String message) {
    super(message);
  }
}
