package io.github.roram.intake;

import io.github.roram.ConfigurationException;

/**
 * How many connections may be there that have not said yet who they are. They have these places to
 * themselves, and take none of those of known clients. When there is one too many, the one that
 * waited longest is closed.
 *
 * @param total of all addresses; beyond, one of the address that has most is closed
 * @param perAddress of one address (IPv6: of one /64 network)
 */
public record HandshakeLimits(int total, int perAddress) {

  private static final HandshakeLimits DEFAULTS = new HandshakeLimits(256, 64);

  /**
   * Checks the limits.
   *
   * @throws ConfigurationException naming one that is too small
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

  /** 256, 64 of one address. */
  public static HandshakeLimits defaults() {
    return DEFAULTS;
  }
}
