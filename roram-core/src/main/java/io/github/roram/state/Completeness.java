package io.github.roram.state;

import io.github.roram.UncleanShutdownException;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.UUID;

/**
 * Whether a store has all that it should have: a restore or a copy that was interrupted leaves one
 * that must not be opened. The vault's record {@code restore} is one byte; a store without it is
 * complete.
 */
public enum Completeness {
  /** Nothing is missing. */
  COMPLETE(0),
  /** A restore was begun and not finished: the content is not of one moment. */
  RESTORED_IN_PART(1),
  /** A clone or a salvaged copy was begun and not finished. */
  COPIED_IN_PART(2);

  static final String RECORD = "restore";

  private final int code;

  Completeness(int code) {
    this.code = code;
  }

  /** Returns what a vault says of its store. */
  public static Completeness in(ClientVault vault) throws IOException {
    Optional<InputStream> found = vault.load(RECORD);
    if (found.isEmpty()) {
      return COMPLETE;
    }
    try (InputStream in = found.get()) {
      int code = in.read();
      return code == RESTORED_IN_PART.code
          ? RESTORED_IN_PART
          : code == COPIED_IN_PART.code ? COPIED_IN_PART : COMPLETE;
    }
  }

  /** Saves this to a vault. */
  public void saveTo(ClientVault vault) throws IOException {
    vault.save(RECORD, out -> out.write(code));
  }

  /**
   * Refuses a store that is not complete.
   *
   * @throws UncleanShutdownException with what to do, if it is not
   */
  public void check(UUID storeId) {
    switch (this) {
      case COMPLETE -> {}
      case RESTORED_IN_PART ->
          throw new UncleanShutdownException(
              "a restore of store " + storeId + " was broken off; finish it with: roram restore");
      case COPIED_IN_PART ->
          throw new UncleanShutdownException(
              "store "
                  + storeId
                  + " is a clone or a salvaged copy that was broken off, and not complete; delete it,"
                  + " and make the copy again");
    }
  }
}
