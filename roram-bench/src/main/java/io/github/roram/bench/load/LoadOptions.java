package io.github.roram.bench.load;

import io.github.roram.ConfigurationException;
import io.github.roram.OramConfig;
import java.time.Duration;

/**
 * What clients do.
 *
 * @param clients how many there are, each with one request under way
 * @param time how long; what completes in its first tenth is not counted
 * @param readPercent share of requests that are reads, 0 to 100; the others write whole blocks
 * @param addresses where requests go
 * @param rangeBlocks blocks of each request
 * @param seed of addresses and of which requests read
 */
public record LoadOptions(
    int clients, Duration time, int readPercent, Addresses addresses, int rangeBlocks, long seed) {

  private static final int MAX_CLIENTS = 10_000;
  private static final int PERCENT = 100;

  /** Which blocks requests begin at. */
  public enum Addresses {
    /** Each as often as any other. */
    UNIFORM,
    /** The n-th most popular with a probability in proportion to 1/n. */
    ZIPF
  }

  /**
   * Checks that there is something to do.
   *
   * @throws ConfigurationException naming a value that cannot be
   */
  public LoadOptions {
    require("clients", clients, 1, MAX_CLIENTS);
    require("mix", readPercent, 0, PERCENT);
    require("range", rangeBlocks, 1, OramConfig.MAX_RANGE_BLOCKS);
    if (time.isNegative() || time.isZero()) {
      throw new ConfigurationException("time is " + time + ", must be above 0");
    }
  }

  private static void require(String name, long value, long from, long to) {
    if (value < from || value > to) {
      throw new ConfigurationException(name + " is " + value + ", must be " + from + " to " + to);
    }
  }
}
