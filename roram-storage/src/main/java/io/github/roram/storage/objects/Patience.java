package io.github.roram.storage.objects;

import io.github.roram.threads.IoCall;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;

/**
 * Repeats a request to an engine until it succeeds, or a time has passed since it first failed.
 * Client libraries abort a request when its thread is interrupted; this keeps the interrupt for
 * later and repeats the request. Immutable, hence thread-safe.
 */
public final class Patience {

  private static final long FIRST_PAUSE_MILLIS = 25;
  private static final long LONGEST_PAUSE_MILLIS = 2000;

  private final long boundNanos;
  private final Predicate<RuntimeException> mayPass;

  /**
   * Creates the patience for an engine.
   *
   * @param bound how long to retry after the first failure
   * @param mayPass whether a failure may be transient, as a lost answer is and a refusal is not
   */
  public Patience(Duration bound, Predicate<RuntimeException> mayPass) {
    boundNanos = bound.toNanos();
    this.mayPass = mayPass;
  }

  /**
   * Returns the request's answer.
   *
   * @param request the request, which may be repeated any number of times
   * @throws RuntimeException the failure of the last attempt, if time is up or retrying cannot help
   */
  public <T> T send(IoCall<T> request) throws IOException {
    boolean interrupted = Thread.interrupted();
    long firstFailure = 0;
    long pauseMillis = FIRST_PAUSE_MILLIS;
    try {
      while (true) {
        try {
          return request.call();
        } catch (RuntimeException e) {
          if (Thread.interrupted()) {
            interrupted = true;
            continue;
          }
          long now = System.nanoTime();
          firstFailure = firstFailure == 0 ? now : firstFailure;
          if (!mayPass.test(e) || now - firstFailure >= boundNanos) {
            throw e;
          }
        }
        interrupted |= pause(pauseMillis);
        pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Waits for between half of a time and all of it; returns true if that was interrupted. */
  private static boolean pause(long millis) {
    try {
      Thread.sleep(ThreadLocalRandom.current().nextLong(millis / 2, millis + 1));
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }
}
