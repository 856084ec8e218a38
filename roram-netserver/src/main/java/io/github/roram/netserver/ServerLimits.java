package io.github.roram.netserver;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.intake.HandshakeLimits;
import io.github.roram.storage.remote.protocol.WelcomeDescriptor;

/**
 * How much a server takes on.
 *
 * @param maxConnections connections of clients that said who they are; more are told to come later
 * @param maxPayloadBytes longest payload of a frame
 * @param maxRequestBytes most bytes that one read or write transfers
 * @param maxExtents most extents of one read or write
 * @param maxRequests requests under way per connection; beyond, it is not read from
 * @param connectionBufferBytes bytes received and not yet stored per connection; beyond, it is not
 *     read from
 * @param totalBufferBytes bytes received and not yet stored, and read and not yet sent, of all
 *     connections; beyond, none goes on until there is room. A quarter of it is for frames that
 *     have arrived in part; beyond, the connection is closed whose frame began first
 * @param reads what is done for reads
 * @param handshakes connections of those who did not say yet who they are
 * @param volumes how much room clients may ask for
 */
public record ServerLimits(
    int maxConnections,
    int maxPayloadBytes,
    long maxRequestBytes,
    int maxExtents,
    int maxRequests,
    long connectionBufferBytes,
    long totalBufferBytes,
    ReadLimits reads,
    HandshakeLimits handshakes,
    VolumeLimits volumes) {

  private static final ServerLimits DEFAULTS =
      new ServerLimits(
          1024,
          (1 << 20) + (1 << 16),
          1L << 30,
          1 << 16,
          64,
          8L << 20,
          256L << 20,
          ReadLimits.defaults(),
          HandshakeLimits.defaults(),
          VolumeLimits.defaults());

  /**
   * Checks the limits.
   *
   * @throws ConfigurationException naming one that is too small
   */
  public ServerLimits {
    require("maxConnections", maxConnections, 1);
    require("maxPayloadBytes", maxPayloadBytes, WelcomeDescriptor.MIN_PAYLOAD_BYTES);
    require("maxRequestBytes", maxRequestBytes, 1);
    require("maxExtents", maxExtents, 1);
    require("maxRequests", maxRequests, 1);
    require("connectionBufferBytes", connectionBufferBytes, 1);
    require("totalBufferBytes", totalBufferBytes, 1 << 20);
  }

  /** 1024 connections, frames of about 1 MiB, requests of 1 GiB, 256 MiB of buffers. */
  public static ServerLimits defaults() {
    return DEFAULTS;
  }

  static void require(String name, long value, long least) {
    if (value < least) {
      throw new ConfigurationException(name + " is " + value + ", must be at least " + least);
    }
  }
}
