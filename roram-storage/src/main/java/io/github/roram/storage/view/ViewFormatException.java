package io.github.roram.storage.view;

import java.io.IOException;

/** A file is no recorded view, or a damaged one. */
public final class ViewFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  ViewFormatException(String message) {
    super(message);
  }

  ViewFormatException(String message, Throwable cause) {
    super(message, cause);
  }
}
