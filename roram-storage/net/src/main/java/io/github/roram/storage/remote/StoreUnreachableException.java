package io.github.roram.storage.remote;

import java.io.IOException;

/** Thrown if the server was unreachable for the retry time. Later calls connect again. */
public final class StoreUnreachableException extends IOException {
  private static final long serialVersionUID = 1L;

  StoreUnreachableException(String message, Throwable cause) {
    super(message, cause);
  }
}
