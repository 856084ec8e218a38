package io.github.roram.object;

import io.github.roram.store.ClientVault;
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

  /**
   * Looks whether a failure may follow from that. Where objects are missing, since another client
   * may go on with the store, the vault is asked; other failures come once it knows.
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
