package io.github.roram.storage.view;

import java.io.IOException;

/** Thrown if a recorded view is sound, but of a version that this code does not read. */
public final class ViewVersionException extends IOException {
  private static final long serialVersionUID = 1L;

  ViewVersionException(String message) {
    super(message);
  }
}
