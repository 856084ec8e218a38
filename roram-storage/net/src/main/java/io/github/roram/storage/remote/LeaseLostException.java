package io.github.roram.storage.remote;

import java.io.IOException;

/** Thrown if another client has taken the volume; this store can only be closed. */
public final class LeaseLostException extends IOException {
  private static final long serialVersionUID = 1L;

  LeaseLostException(String message) {
    super(message);
  }
}
