package io.github.roram.object;

import java.io.IOException;

/** Thrown if an engine breaks the rules on which a store rests: none may be in it. */
public final class UnsafeObjectsException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception whose message names the engine and what it did. */
  public UnsafeObjectsException(String message) {
    super(message);
  }
}
