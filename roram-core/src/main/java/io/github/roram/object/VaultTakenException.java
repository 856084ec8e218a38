package io.github.roram.object;

import java.io.IOException;

/** Another client took the client's records over: this one can record nothing any more. */
public final class VaultTakenException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Says who has them. */
  public VaultTakenException(String message) {
    super(message);
  }
}
