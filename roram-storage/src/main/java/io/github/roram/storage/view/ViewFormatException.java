package io.github.roram.storage.view;

import java.io.IOException;

/** Thrown if a file is not a recorded view, or damaged. */
public final class ViewFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  ViewFormatException(String message) {
    super(message);
  }

  ViewFormatException(String message, Throwable cause) {
    super(message, cause);
  }
}
