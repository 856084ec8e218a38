package io.github.roram.journal;

import io.github.roram.IntegrityException;

/**
 * What is said of a journal that is authentic and does not fit the state: no client can have
 * recorded it there.
 */
public final class ReplayCheck {

  private ReplayCheck() {}

  /**
   * Checks a number of a record before anything is done with it.
   *
   * @throws IntegrityException if it is not {@code from} to {@code end - 1}
   */
  public static void within(String what, int value, long from, long end) {
    if (value < from || value >= end) {
      throw refused("names " + what + " " + value + ", must be " + from + " to " + (end - 1));
    }
  }

  /** The exception for a journal that, as a half sentence says, does what it cannot. */
  public static IntegrityException refused(String what) {
    return new IntegrityException(
        "the journal does not fit the client's state: it "
            + what
            + "; restore the client's records from copies made together");
  }
}
