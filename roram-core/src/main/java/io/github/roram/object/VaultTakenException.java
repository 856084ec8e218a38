package io.github.roram.object;

import io.github.roram.store.ClientVault;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Thrown if another client has taken over the client's records: this client can record nothing. */
public final class VaultTakenException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception whose message says who has them. */
  public VaultTakenException(String message) {
    super(message);
  }

  /** Returns whether a failure has such an exception among its causes. */
  public static boolean isCauseOf(@Nullable Throwable failure) {
    Throwable cause = failure;
    while (cause != null && !(cause instanceof VaultTakenException)) {
      cause = cause.getCause();
    }
    return cause != null;
  }

  /**
   * Checks whether another client has the vault after a failure. If objects are missing, this asks
   * the vault; otherwise it checks what the vault knows already.
   *
   * @throws VaultTakenException if another client has the vault
   */
  public static void check(Throwable failure, ClientVault vault) throws VaultTakenException {
    Throwable cause = failure;
    while (cause != null && !(cause instanceof NoSuchObjectException)) {
      cause = cause.getCause();
    }
    try {
      vault.confirm(cause != null);
    } catch (VaultTakenException e) {
      throw e;
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }
}
