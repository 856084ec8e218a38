package io.github.roram.proxy;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.intake.HandshakeLimits;
import io.github.roram.storage.intake.Patience;
import io.github.roram.storage.intake.SharedIntake;
import java.time.Duration;

/**
 * How much a proxy takes on, and how long it waits.
 *
 * @param maxConnections connections that have said who they are; beyond, the latest of the address
 *     that has most is closed, or else the new one
 * @param maxRequests requests under way per connection; beyond, it is not read from
 * @param maxRequestBytes longest read or write; at most 32 MiB
 * @param totalBytes bytes of requests and answers that are held for all connections; beyond, none
 *     is read from whose request has no room. At least {@code maxRequestBytes}. One connection has
 *     a quarter of it, or one request
 * @param newcomers connections that have not
 * @param handshake time until a client has said who it is
 * @param sender time for the rest of a request that has begun
 * @param reader time for a client to take an answer
 * @param drain time for requests under way when the proxy is closed
 */
public record ProxyLimits(
    int maxConnections,
    int maxRequests,
    int maxRequestBytes,
    long totalBytes,
    HandshakeLimits newcomers,
    Duration handshake,
    Duration sender,
    Duration reader,
    Duration drain) {

  private static final int MOST_BYTES = 32 << 20;
  private static final int SHARES = 4;

  private static final ProxyLimits DEFAULTS =
      new ProxyLimits(
          1024,
          64,
          MOST_BYTES,
          256L << 20,
          HandshakeLimits.defaults(),
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          Duration.ofSeconds(30));

  /**
   * Checks the limits.
   *
   * @throws ConfigurationException naming one that is out of bounds
   */
  public ProxyLimits {
    require("maxConnections", maxConnections, 1, Integer.MAX_VALUE);
    require("maxRequests", maxRequests, 1, Integer.MAX_VALUE);
    require("maxRequestBytes", maxRequestBytes, 1, MOST_BYTES);
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

  /** For the connections of a new proxy: one holds no more than a part, or a single request. */
  SharedIntake newIntake() {
    Patience.Times times = new Patience.Times(handshake, sender, reader);
    return new SharedIntake(times, maxRequests, totalBytes / SHARES, totalBytes);
  }

  /**
   * The same with another longest read or write.
   *
   * @throws ConfigurationException if it is out of bounds
   */
  public ProxyLimits withMaxRequestBytes(int bytes) {
    return new ProxyLimits(
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

  /** 1024 connections of 64 requests each, 256 MiB in all; 10, 30, 60 and 30 s. */
  public static ProxyLimits defaults() {
    return DEFAULTS;
  }
}
