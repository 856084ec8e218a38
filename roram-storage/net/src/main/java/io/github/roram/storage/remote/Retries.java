package io.github.roram.storage.remote;

import io.github.roram.storage.remote.RemoteConnection.ConnectionLostException;
import io.github.roram.threads.IoCall;
import io.github.roram.threads.Uninterrupted;
import java.io.IOException;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Repeats what a lost connection broke off, with the pauses of {@link Backoff}. */
final class Retries {

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
  <T extends @Nullable Object> T run(IoCall<T> attempt) throws IOException {
    Backoff backoff = backoff();
    while (true) {
      try {
        return attempt.call();
      } catch (ConnectionLostException e) {
        sleep(backoff.pauseAfter(e));
      }
    }
  }

  /** Returns the pauses of one attempt. */
  Backoff backoff() {
    return new Backoff(bound, address);
  }

  /**
   * The pauses before something that has lost its connection is tried again: they double from 20 ms
   * to 2 s, half of each at random, up to a total bound. They do not depend on the data.
   */
  static final class Backoff {

    private static final Logger LOG = LoggerFactory.getLogger(RemoteStore.class);

    /** If a wait takes longer, the user is told. */
    private static final long PATIENCE_NANOS = 1_500_000_000;

    /** When a wait was told last, of any call: many calls wait for one server. */
    private static final AtomicLong TOLD_NANOS = new AtomicLong(Long.MIN_VALUE);

    private static final long FIRST_PAUSE_NANOS = 20_000_000;
    private static final long LONGEST_PAUSE_NANOS = 2_000_000_000;
    private static final long TELL_AGAIN_NANOS = 10_000_000_000L;

    private final Duration bound;
    private final RemoteAddress address;
    private int tries;
    private long failedNanos;
    private long pauseNanos = FIRST_PAUSE_NANOS;

    /**
     * Creates the pauses before the first failure.
     *
     * @param bound how long to try again after it
     */
    Backoff(Duration bound, RemoteAddress address) {
      this.bound = bound;
      this.address = address;
    }

    /**
     * Returns the pause after another failure, in nanoseconds.
     *
     * @throws StoreUnreachableException if the bound has passed
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
      if (now - failedNanos > PATIENCE_NANOS) {
        tell(left, failure);
      }
      long pause = pauseNanos / 2 + ThreadLocalRandom.current().nextLong(pauseNanos / 2);
      pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
      return Math.min(left, pause);
    }

    private void tell(long leftNanos, ConnectionLostException failure) {
      long now = System.nanoTime();
      long told = TOLD_NANOS.get();
      boolean due = told == Long.MIN_VALUE || now - told > TELL_AGAIN_NANOS;
      if (due && TOLD_NANOS.compareAndSet(told, now)) {
        LOG.warn(
            "waiting for {}, until {} at most (retry-seconds): {}",
            address,
            clock(leftNanos),
            failure.getMessage());
      }
    }
  }

  /** Returns the time of day {@code nanos} nanoseconds from now, for messages. */
  static String clock(long nanos) {
    return LocalTime.now(ZoneId.systemDefault())
        .plusNanos(nanos)
        .truncatedTo(ChronoUnit.SECONDS)
        .toString();
  }

  private static void sleep(long nanos) {
    long deadline = System.nanoTime() + nanos;
    Uninterrupted.await(() -> TimeUnit.NANOSECONDS.sleep(deadline - System.nanoTime()));
  }
}
