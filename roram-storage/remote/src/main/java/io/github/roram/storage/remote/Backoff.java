package io.github.roram.storage.remote;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * When something that lost its connection is tried again: after pauses that double from 20 ms to 2
 * s, half of each at random, until a bound. Nothing of it depends on what is transferred.
 */
final class Backoff {

  private static final long FIRST_PAUSE_NANOS = 20_000_000;
  private static final long LONGEST_PAUSE_NANOS = 2_000_000_000;

  private final Duration bound;
  private final RemoteAddress address;
  private int tries;
  private long failedNanos;
  private long pauseNanos = FIRST_PAUSE_NANOS;

  /**
   * Before the first failure.
   *
   * @param bound for how long after it is tried again
   */
  Backoff(Duration bound, RemoteAddress address) {
    this.bound = bound;
    this.address = address;
  }

  /**
   * How long to wait after another failure, in nanoseconds.
   *
   * @throws StoreUnreachableException if the bound is over
   */
  long pauseAfter(ConnectionLostException failure) throws StoreUnreachableException {
    long now = System.nanoTime();
    if (++tries == 1) {
      failedNanos = now;
    }
    long left = bound.toNanos() - (now - failedNanos);
    if (left <= 0) {
      throw new StoreUnreachableException(
          address
              + " could not be reached in "
              + tries
              + " tries, the bound for retries being "
              + bound
              + ": start the server or mend the network, then call again; last: "
              + failure.getMessage(),
          failure);
    }
    long pause = pauseNanos / 2 + ThreadLocalRandom.current().nextLong(pauseNanos / 2);
    pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
    return Math.min(left, pause);
  }
}
