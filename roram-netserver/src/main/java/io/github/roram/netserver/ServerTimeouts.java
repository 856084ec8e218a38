package io.github.roram.netserver;

import io.github.roram.ConfigurationException;
import java.time.Duration;

/**
 * How long a server waits.
 *
 * @param handshake for a new connection to say who it is
 * @param idle for anything from a connection; clients ping more often
 * @param sender for the rest of a frame, or of a write, that has begun
 * @param reader for a client to take what was read for it
 * @param lease for the holder of a volume to come back before another may have it
 * @param drain for requests under way when the server is closed
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
   * Checks that nothing is negative.
   *
   * @throws ConfigurationException if something is
   */
  public ServerTimeouts {
    for (Duration one : new Duration[] {handshake, idle, sender, reader, lease, drain}) {
      if (one.isNegative()) {
        throw new ConfigurationException("a server's time-out is " + one + ", must be positive");
      }
    }
  }

  /** 10 s for the handshake, 30 s for a lease, a sender and draining, 60 s otherwise. */
  public static ServerTimeouts defaults() {
    return DEFAULTS;
  }

  /** The same but for the lease. */
  public ServerTimeouts withLease(Duration newLease) {
    return new ServerTimeouts(handshake, idle, sender, reader, newLease, drain);
  }
}
