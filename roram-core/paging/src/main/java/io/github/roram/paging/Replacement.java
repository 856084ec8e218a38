package io.github.roram.paging;

/** Which page leaves the working set when a fault needs its place. */
public enum Replacement {
  /** The page that came first, as in the paper's evaluation. */
  FIFO,
  /** The page that was not accessed for the longest time. */
  LRU,
  /**
   * Second chance: a hand goes round the places; a page that was accessed since the hand passed it
   * stays for another round.
   */
  CLOCK;

  ReplacementPolicy policy(int frames) {
    return switch (this) {
      case FIFO -> new QueuePolicy(frames, false);
      case LRU -> new QueuePolicy(frames, true);
      case CLOCK -> new ClockPolicy(frames);
    };
  }
}
