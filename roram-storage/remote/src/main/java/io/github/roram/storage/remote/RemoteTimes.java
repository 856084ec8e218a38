package io.github.roram.storage.remote;

import io.github.roram.ConfigurationException;
import java.time.Duration;

/**
 * How long a client waits for a block server.
 *
 * @param connectTimeout how long connecting and each step of the handshake may take
 * @param requestTimeout how long a request may go without any progress before the connection is
 *     given up
 * @param retryBound for how long after its first failure a call is retried; zero for no retries
 * @param pingInterval after what silence the server is asked whether it is there; it is given up
 *     after three such intervals
 */
public record RemoteTimes(
    Duration connectTimeout, Duration requestTimeout, Duration retryBound, Duration pingInterval) {

  private static final RemoteTimes DEFAULTS =
      new RemoteTimes(
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          Duration.ofSeconds(60),
          Duration.ofSeconds(10));

  /**
   * Checks that the times are positive.
   *
   * @throws ConfigurationException naming one that is not
   */
  public RemoteTimes {
    requirePositive("connectTimeout", connectTimeout);
    requirePositive("requestTimeout", requestTimeout);
    requirePositive("pingInterval", pingInterval);
    if (retryBound.isNegative()) {
      throw new ConfigurationException("retryBound is " + retryBound + ", must not be negative");
    }
  }

  private static void requirePositive(String name, Duration duration) {
    if (duration.isZero() || duration.isNegative()) {
      throw new ConfigurationException(name + " is " + duration + ", must be positive");
    }
  }

  /** Give up after a minute. */
  public static RemoteTimes defaults() {
    return DEFAULTS;
  }
}
