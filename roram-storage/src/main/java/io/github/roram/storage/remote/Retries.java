package io.github.roram.storage.remote;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Repeats what a lost connection broke off, with pauses that double from 20 ms to 2 s, half of each
 * at random. Nothing of it depends on what is transferred.
 */
final class Retries {

  private static final long FIRST_PAUSE_NANOS = 20_000_000;
  private static final long LONGEST_PAUSE_NANOS = 2_000_000_000;

  /** Something that needs a connection. */
  @FunctionalInterface
  interface Attempt<T extends @Nullable Object> {
    T run() throws IOException;
  }

  private final Duration bound;
  private final RemoteAddress address;

  Retries(Duration bound, RemoteAddress address) {
    this.bound = bound;
    this.address = address;
  }

  /**
   * Runs {@code attempt} until it does not lose its connection.
   *
   * @throws StoreUnreachableException if it still does after the bound
   */
  <T extends @Nullable Object> T run(Attempt<T> attempt) throws IOException {
    long failedNanos = 0;
    long pauseNanos = FIRST_PAUSE_NANOS;
    for (int tries = 1; ; tries++) {
      try {
        return attempt.run();
      } catch (ConnectionLostException e) {
        long now = System.nanoTime();
        if (tries == 1) {
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
                  + e.getMessage(),
              e);
        }
        long pause = pauseNanos / 2 + ThreadLocalRandom.current().nextLong(pauseNanos / 2);
        Waits.sleep(Math.min(left, pause));
        pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
      }
    }
  }
}
