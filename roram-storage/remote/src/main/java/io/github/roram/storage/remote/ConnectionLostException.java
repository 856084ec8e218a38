package io.github.roram.storage.remote;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A connection ended, or never came to be: what was asked over it may be asked again. */
final class ConnectionLostException extends IOException {
  private static final long serialVersionUID = 1L;

  ConnectionLostException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** As seen by one more thread. */
  ConnectionLostException(ConnectionLostException cause) {
    super(String.valueOf(cause.getMessage()), cause);
  }
}
