package io.github.roram.nbd;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.intake.HandshakeLimits;
import io.github.roram.storage.intake.Patience;
import io.github.roram.storage.intake.SharedIntake;
import java.time.Duration;

/**
 * How much a server takes on, and how long it waits.
 *
 * @param maxConnections connections that have chosen an export; beyond, the latest of the address
 *     that has most is closed, or else the new one
 * @param maxRequests requests under way per connection; beyond, it is not read from
 * @param connectionBytes bytes of those requests that are held; beyond, it is not read from. At
 *     least 32 MiB, the longest request
 * @param totalBytes the same of all connections; at least {@code connectionBytes}
 * @param newcomers connections that have not
 * @param handshake time for the whole handshake
 * @param sender time for the rest of a request that has begun
 * @param reader time for a client to take an answer
 * @param drain time for requests under way when the server is closed
 */
public record NbdLimits(
    int maxConnections,
    int maxRequests,
    long connectionBytes,
    long totalBytes,
    HandshakeLimits newcomers,
    Duration handshake,
    Duration sender,
    Duration reader,
    Duration drain) {

  /** Longest read or write. */
  public static final int MAX_REQUEST_BYTES = 32 << 20;

  private static final NbdLimits DEFAULTS =
      new NbdLimits(
          256,
          128,
          64L << 20,
          256L << 20,
          HandshakeLimits.defaults(),
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          Duration.ofSeconds(30));

  /**
   * Checks the limits.
   *
   * @throws ConfigurationException naming one that is too small
   */
  public NbdLimits {
    require("maxConnections", maxConnections, 1);
    require("maxRequests", maxRequests, 1);
    require("connectionBytes", connectionBytes, MAX_REQUEST_BYTES);
    require("totalBytes", totalBytes, connectionBytes);
    for (Duration time : new Duration[] {handshake, sender, reader, drain}) {
      if (time.isNegative()) {
        throw new ConfigurationException("a time-out is " + time + ", must not be negative");
      }
    }
  }

  private static void require(String name, long value, long least) {
    if (value < least) {
      throw new ConfigurationException(name + " is " + value + ", must be at least " + least);
    }
  }

  /** For the connections of a new server. */
  SharedIntake newIntake() {
    Patience.Times times = new Patience.Times(handshake, sender, reader);
    return new SharedIntake(times, maxRequests, connectionBytes, totalBytes);
  }

  /** 256 connections, 128 requests and 64 MiB each, 256 MiB in all; 10, 30, 60 and 30 s. */
  public static NbdLimits defaults() {
    return DEFAULTS;
  }
}
