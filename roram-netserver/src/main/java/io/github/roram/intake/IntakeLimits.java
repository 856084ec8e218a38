package io.github.roram.intake;

import io.github.roram.ConfigurationException;
import java.time.Duration;

/**
 * How much a server takes on of its clients, and how long it waits for them.
 *
 * @param maxConnections connections of clients that have said who they are, or what they want;
 *     beyond, the latest of the address that has most is closed, or else the new one
 * @param maxRequests requests under way per connection; beyond, it is not read from
 * @param maxRequestBytes longest read or write; at most 32 MiB
 * @param totalBytes bytes of requests and answers that are held for all connections; beyond, none
 *     is read from whose request has no room. At least {@code maxRequestBytes}
 * @param newcomers connections of clients that have not
 * @param handshake time until a client has
 * @param sender time for the rest of a request that has begun
 * @param reader time for a client to take an answer
 * @param drain time for requests under way when the server is closed
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

  /** No server takes longer reads or writes. */
  public static final int MOST_REQUEST_BYTES = 32 << 20;

  private static final int SHARES = 4;

  /**
   * Checks the limits.
   *
   * @throws ConfigurationException naming one that is out of bounds
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

  /** So many connections of so many requests each, 256 MiB in all; 10, 30, 60 and 30 s. */
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

  /** Bytes that are held for one connection, unless a request is longer: a part of all. */
  public long connectionBytes() {
    return Math.max(maxRequestBytes, totalBytes / SHARES);
  }

  /**
   * The same with another longest read or write.
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
