package io.github.roram;

/** Thrown when a tree exceeds its stash limit. Nothing is lost; the message gives the remedy. */
public final class StashOverflowException extends OramException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception whose message names the tree, limit, parameters and remedy. */
  public StashOverflowException(String message) {
    super(message);
  }
}
