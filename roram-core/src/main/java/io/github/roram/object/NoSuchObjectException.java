package io.github.roram.object;

import java.io.IOException;

/** An engine has no object of a name. */
public final class NoSuchObjectException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * Says which.
   *
   * @param name the object's name
   */
  public NoSuchObjectException(String name) {
    super("there is no object " + name);
  }
}
