package io.github.roram;

/** A tree holds more blocks than its stash limit allows; nothing is lost, see the message. */
public final class StashOverflowException extends OramException {
  private static final long serialVersionUID = 1L;

  /** Names the tree, the limit, the parameters and the remedy. */
  public StashOverflowException(String message) {
    super(message);
  }
}
