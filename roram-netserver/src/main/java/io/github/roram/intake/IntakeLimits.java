package io.github.roram.intake;

import io.github.roram.ConfigurationException;
import java.time.Duration;

/**
 * Limits on a server's clients, and how long it waits for them.
 *
 * @param maxConnections most connections that have completed their handshake; beyond, the server
 *     closes the latest one of the address that has most, or else the new one
 * @param maxRequests most requests in flight per connection; beyond, the server stops reading it
 * @param maxRequestBytes bytes of the longest read or write; at most 32 MiB
 * @param totalBytes most bytes of requests and answers of all connections; beyond, the server stops
 *     reading connections whose request has no room. At least {@code maxRequestBytes}
 * @param newcomers limits on connections that have not completed their handshake
 * @param handshake time for a client to complete its handshake
 * @param sender time for the rest of a request that has begun
 * @param reader time for a client to receive some of an answer; while other clients wait for
 *     memory, all of those that it was sent
 * @param drain time for requests in flight when the server is closed
 */
public record IntakeLimits(
    int maxConnections,
    int maxRequests,
    long maxRequestBytes,
    long totalBytes,
    HandshakeLimits newcomers,
    Duration handshake,
    Duration sender,
    Duration reader,
    Duration drain) {

  /** Upper bound of {@link #maxRequestBytes}. */
  public static final int MOST_REQUEST_BYTES = 32 << 20;

  private static final int SHARES = 4;

  /**
   * Checks the limits.
   *
   * @throws ConfigurationException if one is out of bounds
   */
  public IntakeLimits {
    require("maxConnections", maxConnections, 1, Integer.MAX_VALUE);
    require("maxRequests", maxRequests, 1, Integer.MAX_VALUE);
    require("maxRequestBytes", maxRequestBytes, 1, MOST_REQUEST_BYTES);
    require("totalBytes", totalBytes, maxRequestBytes, Long.MAX_VALUE);
    for (Duration time : new Duration[] {handshake, sender, reader, drain}) {
      if (time.isNegative()) {
        throw new ConfigurationException("a time-out is " + time + ", must not be negative");
      }
    }
  }

  private static void require(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new ConfigurationException(
          name + " is " + value + ", must be " + least + " to " + most);
    }
  }

  /** Returns limits with these numbers, 256 MiB in all, and times of 10, 30, 60 and 30 s. */
  public static IntakeLimits of(int maxConnections, int maxRequests) {
    return new IntakeLimits(
        maxConnections,
        maxRequests,
        MOST_REQUEST_BYTES,
        256L << 20,
        HandshakeLimits.defaults(),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofSeconds(60),
        Duration.ofSeconds(30));
  }

  /** Returns the bytes held for one connection, unless a request is longer: a part of all. */
  public long connectionBytes() {
    return Math.max(maxRequestBytes, totalBytes / SHARES);
  }

  /**
   * Returns these limits with another longest read or write, in bytes.
   *
   * @throws ConfigurationException if it is out of bounds
   */
  public IntakeLimits withMaxRequestBytes(long bytes) {
    return new IntakeLimits(
        maxConnections,
        maxRequests,
        bytes,
        totalBytes,
        newcomers,
        handshake,
        sender,
        reader,
        drain);
  }
}
