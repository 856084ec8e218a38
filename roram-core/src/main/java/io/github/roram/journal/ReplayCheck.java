package io.github.roram.journal;

import io.github.roram.IntegrityException;

/**
 * Checks for journals that are authentic but do not fit the state: no client can have recorded such
 * records there.
 */
public final class ReplayCheck {

  private ReplayCheck() {}

  /**
   * Checks a number of a record before it is used.
   *
   * @throws IntegrityException if the number is not {@code from} to {@code end - 1}
   */
  public static void within(String what, int value, long from, long end) {
    if (value < from || value >= end) {
      throw refused("names " + what + " " + value + ", must be " + from + " to " + (end - 1));
    }
  }

  /**
   * Returns the exception for a journal that does something impossible.
   *
   * @param what what the journal does, such as "names tree 7"
   */
  public static IntegrityException refused(String what) {
    return new IntegrityException(
        "the journal does not fit the client's state: it "
            + what
            + "; restore the client's records from copies made together");
  }
}
