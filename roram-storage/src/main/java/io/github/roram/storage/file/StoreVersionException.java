package io.github.roram.storage.file;

import java.io.IOException;

/** Thrown if a store's files have a format version that this version of roram cannot read. */
public final class StoreVersionException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception whose message names the file, its version, and the versions supported. */
  public StoreVersionException(String message) {
    super(message);
  }
}
