package io.github.roram.bench.demo;

/**
 * A prefix of a trace that every scheme replays.
 *
 * @param trace name of a bundled trace, or a path
 * @param warmupQueries requests replayed first without counting them
 * @param queries requests counted after those
 */
public record DemoWorkload(String trace, long warmupQueries, long queries) {

  /** Checks the counts. */
  public DemoWorkload {
    if (warmupQueries < 0 || queries < 1) {
      throw new IllegalArgumentException(
          "workload "
              + trace
              + " has "
              + warmupQueries
              + " queries to warm up and "
              + queries
              + " to count; at least 0 and 1 are needed");
    }
  }

  /** The same trace with another number of counted queries, and no more than that to warm up. */
  public DemoWorkload withQueries(long newQueries) {
    return new DemoWorkload(trace, Math.min(warmupQueries, newQueries), newQueries);
  }
}
