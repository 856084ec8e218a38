package io.github.roram.storage.objects;

import io.github.roram.threads.IoCall;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;

/**
 * Makes a request of an engine until it is answered, or a time has passed since it first failed.
 * Clients of engines break a request off when its thread is interrupted; here an interrupt is kept
 * for later, and the request made again. Immutable, hence thread-safe.
 */
public final class Patience {

  private static final long FIRST_PAUSE_MILLIS = 25;
  private static final long LONGEST_PAUSE_MILLIS = 2000;

  private final long boundNanos;
  private final Predicate<RuntimeException> mayPass;

  /**
   * Of an engine.
   *
   * @param bound how long to go on after the first failure
   * @param mayPass whether the same request can be answered otherwise: no refusal is, a lost answer
   *     is
   */
  public Patience(Duration bound, Predicate<RuntimeException> mayPass) {
    boundNanos = bound.toNanos();
    this.mayPass = mayPass;
  }

  /**
   * The request's answer.
   *
   * @param request may be made any number of times
   * @throws RuntimeException of the last attempt, once time is up or if another would end alike
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

  /** Waits between half of a time and all of it; true if that was interrupted. */
  private static boolean pause(long millis) {
    try {
      Thread.sleep(ThreadLocalRandom.current().nextLong(millis / 2, millis + 1));
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }
}
