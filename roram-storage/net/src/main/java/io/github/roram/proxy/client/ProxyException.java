package io.github.roram.proxy.client;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A proxy did not do what it was asked for, or cannot be reached. After a connection was lost
 * nobody knows whether a write under way was made: connect again, and read or repeat it.
 */
public final class ProxyException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Says what was refused, or lost. */
  public ProxyException(String message) {
    super(message);
  }

  /** As above, with what led to it. */
  public ProxyException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
