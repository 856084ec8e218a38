package io.github.roram.state;

import io.github.roram.journal.JournalPosition;

/**
 * How far a client's records have come for good, as the store witnesses it: records that hold less
 * are older ones.
 *
 * @param saves number of the newest save of a record
 * @param journal where the last record of the journal ends
 */
record Watermark(long saves, JournalPosition journal) {

  /** Before everything. */
  static final Watermark START = new Watermark(0, JournalPosition.START);

  /** The further of both, in each. */
  Watermark orLater(Watermark other) {
    return new Watermark(Math.max(saves, other.saves), journal.orLater(other.journal));
  }

  /** Whether records that hold so much hold all of this. */
  boolean isWithin(Watermark held) {
    return saves <= held.saves && journal.compareTo(held.journal) <= 0;
  }
}
