package io.github.roram.object;

import java.io.IOException;

/** Thrown if an engine has no object of a name. */
public final class NoSuchObjectException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception that names the object.
   *
   * @param name the object's name
   */
  public NoSuchObjectException(String name) {
    super("there is no object " + name);
  }
}
