package io.github.roram.storage.s3;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.NonRetryableException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.exception.SdkServiceException;

/**
 * Makes a request until it is answered, or a time has passed since it first failed. The SDK breaks
 * a request off when its thread is interrupted; here an interrupt is kept for later, and the
 * request made again. Immutable, hence thread-safe.
 */
final class Patience {

  private static final long FIRST_PAUSE_MILLIS = 25;
  private static final long LONGEST_PAUSE_MILLIS = 2000;

  private static final int TIMEOUT = 408;
  private static final int CONFLICT = 409;
  private static final int TOO_MANY = 429;
  private static final int SERVER_ERROR = 500;

  private final long boundNanos;

  Patience(Duration bound) {
    boundNanos = bound.toNanos();
  }

  /** A request, which may be made any number of times. */
  interface Request<T> {
    T send() throws IOException;
  }

  /**
   * The request's answer.
   *
   * @throws SdkException of the last attempt, once time is up or if another would end alike
   */
  <T> T send(Request<T> request) throws IOException {
    boolean interrupted = Thread.interrupted();
    long firstFailure = 0;
    long pauseMillis = FIRST_PAUSE_MILLIS;
    try {
      while (true) {
        try {
          return request.send();
        } catch (SdkException e) {
          if (Thread.interrupted()) {
            interrupted = true;
            continue;
          }
          long now = System.nanoTime();
          firstFailure = firstFailure == 0 ? now : firstFailure;
          if (!mayPass(e) || now - firstFailure >= boundNanos) {
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

  /** Whether the same request can be answered otherwise: no refusal is, a lost answer is. */
  private static boolean mayPass(SdkException e) {
    if (!(e instanceof SdkServiceException answer)) {
      return e.retryable() || e instanceof AbortedException || isOfTheLine(e);
    }
    int status = answer.statusCode();
    return status >= SERVER_ERROR
        || status == CONFLICT
        || status == TIMEOUT
        || status == TOO_MANY
        || answer.isThrottlingException();
  }

  /** Whether a connection could not be made, or broke. */
  private static boolean isOfTheLine(SdkException e) {
    if (e instanceof NonRetryableException) {
      return false;
    }
    @Nullable Throwable cause = e.getCause();
    while (cause != null && !(cause instanceof IOException)) {
      cause = cause.getCause();
    }
    return cause != null;
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
