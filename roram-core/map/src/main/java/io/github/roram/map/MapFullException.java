package io.github.roram.map;

/** Thrown if there is no room for another entry where it belongs. Nothing was changed. */
public final class MapFullException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Creates an exception whose message says what is full, and what helps. */
  public MapFullException(String message) {
    super(message);
  }
}
