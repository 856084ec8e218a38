package io.github.roram.intake;

import io.github.roram.ConfigurationException;

/**
 * Limits on connections that have not completed their handshake. They have separate places, and
 * take none from identified clients. If there is one too many, the server closes the one that has
 * waited longest.
 *
 * @param total most of all addresses; beyond, the server closes one of the address that has most
 * @param perAddress most of one address (IPv6: of one /64 network)
 */
public record HandshakeLimits(int total, int perAddress) {

  private static final HandshakeLimits DEFAULTS = new HandshakeLimits(256, 64);

  /**
   * Checks the limits.
   *
   * @throws ConfigurationException if one is too small
   */
  public HandshakeLimits {
    require("handshakes", total);
    require("handshakes of one address", perAddress);
  }

  private static void require(String name, int value) {
    if (value < 1) {
      throw new ConfigurationException(name + " is " + value + ", must be at least 1");
    }
  }

  /** Returns 256 in all, and 64 of one address. */
  public static HandshakeLimits defaults() {
    return DEFAULTS;
  }
}
