package io.github.roram.object;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Another client took the client's records over: this one can record nothing any more. */
public final class VaultTakenException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Says who has them. */
  public VaultTakenException(String message) {
    super(message);
  }

  /** Whether this is what led to a failure. */
  public static boolean isCauseOf(@Nullable Throwable failure) {
    Throwable cause = failure;
    while (cause != null && !(cause instanceof VaultTakenException)) {
      cause = cause.getCause();
    }
    return cause != null;
  }
}
