package io.github.roram.proxy.client;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a proxy failed or refused a request, or cannot be reached. After a lost connection it
 * is unknown whether a write in flight was made: reconnect, and read or repeat it.
 */
public final class ProxyException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception whose message says what was refused or lost. */
  public ProxyException(String message) {
    super(message);
  }

  /** Creates an exception with a message like that, and with its cause. */
  public ProxyException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
