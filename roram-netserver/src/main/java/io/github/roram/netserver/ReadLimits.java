package io.github.roram.netserver;

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
