package io.github.roram.bench.replay;

/**
 * How a trace is replayed.
 *
 * @param maxQueries replay at most so many requests after the warm-up; {@link #ALL} for all
 * @param warmupQueries replay so many requests first without counting them
 * @param verify check every byte of every answer
 * @param fold take addresses modulo the device's size, where the trace comes from a larger one
 */
public record ReplayOptions(long maxQueries, long warmupQueries, boolean verify, boolean fold) {

  /** No limit. */
  public static final long ALL = Long.MAX_VALUE;

  /** The whole trace, counted from the first request on, verified, not folded. */
  public static final ReplayOptions DEFAULTS = new ReplayOptions(ALL, 0, true, false);

  /** Checks that the counts can be. */
  public ReplayOptions {
    if (maxQueries < 1 || warmupQueries < 0) {
      throw new IllegalArgumentException(
          "maxQueries is "
              + maxQueries
              + " and warmupQueries "
              + warmupQueries
              + "; replay at least 1 query after 0 or more to warm up");
    }
  }

  /** The same with another limit. */
  public ReplayOptions withMaxQueries(long queries) {
    return new ReplayOptions(queries, warmupQueries, verify, fold);
  }

  /** The same with another warm-up. */
  public ReplayOptions withWarmupQueries(long queries) {
    return new ReplayOptions(maxQueries, queries, verify, fold);
  }

  /** The same, verifying or not. */
  public ReplayOptions withVerify(boolean newVerify) {
    return new ReplayOptions(maxQueries, warmupQueries, newVerify, fold);
  }

  /** The same, folding or not. */
  public ReplayOptions withFold(boolean newFold) {
    return new ReplayOptions(maxQueries, warmupQueries, verify, newFold);
  }
}
