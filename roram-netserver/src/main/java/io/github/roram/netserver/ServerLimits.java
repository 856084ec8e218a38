package io.github.roram.netserver;

import io.github.roram.ConfigurationException;
import io.github.roram.intake.HandshakeLimits;
import io.github.roram.storage.remote.protocol.Message.Welcome;

/**
 * Limits on the work and memory of a server.
 *
 * @param maxConnections most connections of identified clients; others are told to come later
 * @param maxPayloadBytes most bytes of a frame's payload
 * @param maxRequestBytes most bytes that one read or write transfers
 * @param maxExtents most extents of one read or write
 * @param maxRequests most requests in flight per connection; beyond, the server stops reading it
 * @param connectionBufferBytes most bytes received and not yet stored per connection; beyond, the
 *     server stops reading it
 * @param totalBufferBytes most bytes received and not yet stored, and read and not yet sent, of all
 *     connections; beyond, all wait until there is room. A quarter of it is for frames that have
 *     arrived in part; beyond, the server closes the connection whose frame began first
 * @param reads limits on reads
 * @param handshakes limits on connections of clients that are not identified yet
 * @param volumes limits on the capacity of volumes
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
   * @throws ConfigurationException if one is too small
   */
  public ServerLimits {
    require("maxConnections", maxConnections, 1);
    require("maxPayloadBytes", maxPayloadBytes, Welcome.MIN_PAYLOAD_BYTES);
    require("maxRequestBytes", maxRequestBytes, 1);
    require("maxExtents", maxExtents, 1);
    require("maxRequests", maxRequests, 1);
    require("connectionBufferBytes", connectionBufferBytes, 1);
    require("totalBufferBytes", totalBufferBytes, 1 << 20);
  }

  /** Returns 1024 connections, frames of about 1 MiB, requests of 1 GiB, 256 MiB of buffers. */
  public static ServerLimits defaults() {
    return DEFAULTS;
  }

  static void require(String name, long value, long least) {
    if (value < least) {
      throw new ConfigurationException(name + " is " + value + ", must be at least " + least);
    }
  }

  /**
   * Limits on the reads of clients.
   *
   * @param atATime most concurrent reads of one connection; at most {@value #UNASKED} for clients
   *     that do not ask for more
   * @param cacheBytes bytes of memory for the top levels of trees, for all volumes; 0 for none.
   *     Volumes in use get it in the order in which their clients came
   */
  public record ReadLimits(int atATime, long cacheBytes) {

    /** Most concurrent reads of one connection of a client that does not ask for more. */
    static final int UNASKED = 4;

    private static final ReadLimits DEFAULTS = new ReadLimits(16, 0);

    /**
     * Checks the limits.
     *
     * @throws io.github.roram.ConfigurationException if one is too small
     */
    public ReadLimits {
      ServerLimits.require("atATime", atATime, 1);
      ServerLimits.require("cacheBytes", cacheBytes, 0);
    }

    /** Returns 16 concurrent reads and no cache. */
    public static ReadLimits defaults() {
      return DEFAULTS;
    }

    /** Returns how many concurrent reads a connection gets that asks for {@code asked}. */
    int granted(int asked) {
      return Math.min(asked, atATime);
    }
  }

  /**
   * Limits on the volumes of clients. Capacities count, not the space that a sparse volume takes
   * today; an identity is charged for the volumes that it created, until they are deleted. A volume
   * takes a file for each started GiB of its capacity, and five more files and directories, so
   * these limits also bound the files of an identity.
   *
   * @param volumeBytes bytes of the largest volume, unless its access rule has a quota
   * @param identityBytes most bytes of all volumes of an identity
   * @param identityVolumes most volumes of an identity
   */
  public record VolumeLimits(long volumeBytes, long identityBytes, int identityVolumes) {

    private static final VolumeLimits DEFAULTS = new VolumeLimits(1L << 40, 4L << 40, 1024);

    /**
     * Checks the limits.
     *
     * @throws ConfigurationException if one is too small
     */
    public VolumeLimits {
      ServerLimits.require("volumeBytes", volumeBytes, 1);
      ServerLimits.require("identityBytes", identityBytes, 1);
      ServerLimits.require("identityVolumes", identityVolumes, 1);
    }

    /** Returns 1 TiB a volume, and 4 TiB and 1024 volumes an identity. */
    public static VolumeLimits defaults() {
      return DEFAULTS;
    }
  }
}
