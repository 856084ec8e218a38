package io.github.roram.storage.file;

/**
 * Tells reads that wait for a medium from those that the operating system answers from its memory,
 * by their time. Where nothing waits there is nothing to win by waiting for several at once.
 *
 * <p>One slow read of {@value #SLOW_POINTS} is enough, so that batches whose first extents are
 * cached and whose others are not are read ahead as well. Not safe for use by several threads.
 */
final class ReadPace {

  /** Above what a call takes whose bytes are in memory, below what any medium takes. */
  private static final long CALL_NANOS = 25_000;

  /** A copy in memory runs at more than this. */
  private static final long BYTES_FOR_NANO = 2;

  private static final int SLOW_POINTS = 8;
  private static final int MOST_POINTS = 32;

  private int points;

  /** Takes note of a read. */
  void add(int bytes, long nanos) {
    boolean slow = nanos > CALL_NANOS + bytes / BYTES_FOR_NANO;
    points = slow ? Math.min(MOST_POINTS, points + SLOW_POINTS) : Math.max(0, points - 1);
  }

  /** Whether reads wait for a medium. */
  boolean isSlow() {
    return points > 0;
  }
}
