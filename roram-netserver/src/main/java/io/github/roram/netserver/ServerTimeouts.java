package io.github.roram.netserver;

import io.github.roram.ConfigurationException;
import java.time.Duration;

/**
 * How long a server waits for clients.
 *
 * @param handshake time for a new client to identify itself
 * @param idle time for anything to arrive on a connection; clients ping more often
 * @param sender time for the rest of a frame, or of a write, that has begun
 * @param reader time for a client to receive the result of a read
 * @param lease time for the holder of a volume to return before another client may have it
 * @param drain time for requests in flight when the server is closed
 */
public record ServerTimeouts(
    Duration handshake,
    Duration idle,
    Duration sender,
    Duration reader,
    Duration lease,
    Duration drain) {

  private static final ServerTimeouts DEFAULTS =
      new ServerTimeouts(
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          Duration.ofSeconds(30),
          Duration.ofSeconds(30));

  /**
   * Checks that no time is negative.
   *
   * @throws ConfigurationException if one is
   */
  public ServerTimeouts {
    for (Duration one : new Duration[] {handshake, idle, sender, reader, lease, drain}) {
      if (one.isNegative()) {
        throw new ConfigurationException("a server's time-out is " + one + ", must be positive");
      }
    }
  }

  /** Returns 10 s for the handshake, 30 s for lease, sender and draining, 60 s for the others. */
  public static ServerTimeouts defaults() {
    return DEFAULTS;
  }

  /** Returns these time-outs with another time for a lease. */
  public ServerTimeouts withLease(Duration newLease) {
    return new ServerTimeouts(handshake, idle, sender, reader, newLease, drain);
  }
}
