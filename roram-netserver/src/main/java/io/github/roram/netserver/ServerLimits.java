package io.github.roram.netserver;

import io.github.roram.ConfigurationException;
import io.github.roram.intake.HandshakeLimits;
import io.github.roram.storage.remote.protocol.Message.Welcome;

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
    require("maxPayloadBytes", maxPayloadBytes, Welcome.MIN_PAYLOAD_BYTES);
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

  /**
   * What the server does for the reads of clients that ask for it.
   *
   * @param atATime most reads of one connection that are answered at the same time; {@value
   *     #UNASKED}, or this if it is less, for clients that do not ask for more
   * @param cacheBytes memory for the top levels of trees, of all volumes; 0 for none. Volumes that
   *     are in use get it in the order in which their clients came
   */
  public record ReadLimits(int atATime, long cacheBytes) {

    /** Reads of one connection that are answered at the same time for those who do not ask. */
    static final int UNASKED = 4;

    private static final ReadLimits DEFAULTS = new ReadLimits(16, 0);

    /**
     * Checks the limits.
     *
     * @throws io.github.roram.ConfigurationException naming one that is too small
     */
    public ReadLimits {
      ServerLimits.require("atATime", atATime, 1);
      ServerLimits.require("cacheBytes", cacheBytes, 0);
    }

    /** 16 reads at a time; no cache. */
    public static ReadLimits defaults() {
      return DEFAULTS;
    }

    /** How many reads of a connection are answered at a time if it asks for so many. */
    int granted(int asked) {
      return Math.min(asked, atATime);
    }
  }

  /**
   * How much room clients may ask for. What counts are capacities, not what a sparse volume takes
   * today; an identity is charged for the volumes that it created, until they are deleted. A volume
   * takes a file for each GiB of its capacity that was begun, and five more files and directories:
   * so these limits bound the files of an identity, too.
   *
   * @param volumeBytes largest volume, where its access list has no quota of its own
   * @param identityBytes most bytes of all volumes that an identity created
   * @param identityVolumes most volumes that an identity created
   */
  public record VolumeLimits(long volumeBytes, long identityBytes, int identityVolumes) {

    private static final VolumeLimits DEFAULTS = new VolumeLimits(1L << 40, 4L << 40, 1024);

    /**
     * Checks the limits.
     *
     * @throws ConfigurationException naming one that is too small
     */
    public VolumeLimits {
      ServerLimits.require("volumeBytes", volumeBytes, 1);
      ServerLimits.require("identityBytes", identityBytes, 1);
      ServerLimits.require("identityVolumes", identityVolumes, 1);
    }

    /** 1 TiB a volume, 4 TiB and 1024 volumes an identity. */
    public static VolumeLimits defaults() {
      return DEFAULTS;
    }
  }
}
