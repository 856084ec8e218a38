package io.github.roram.storage.remote;

import java.io.IOException;

/** The server could not be reached within the bound. The store may be used again: it reconnects. */
public final class StoreUnreachableException extends IOException {
  private static final long serialVersionUID = 1L;

  StoreUnreachableException(String message, Throwable cause) {
    super(message, cause);
  }
}
