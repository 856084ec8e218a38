package io.github.roram.storage.file;

import java.io.IOException;

/** A store's files are of a format version that this version of roram cannot read. */
public final class StoreVersionException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Says which file, which version it has, and which versions can be read. */
  public StoreVersionException(String message) {
    super(message);
  }
}
