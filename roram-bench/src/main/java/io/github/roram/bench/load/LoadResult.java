package io.github.roram.bench.load;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.roram.bench.report.Statistics;
import io.github.roram.bench.report.Statistics.Estimate;
import io.github.roram.json.JsonFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * What a load came to. Intervals are of 95 %, from the means of twenty equal parts of the time.
 *
 * @param clients how many there were
 * @param operations requests that were answered after the warm-up
 * @param perSecond such requests a second
 * @param meanMillis time of a request in milliseconds
 * @param p50Millis half of them took no longer
 * @param p99Millis 99 of 100 took no longer
 * @param maxMillis none took longer
 * @param mismatches blocks that were found with what they cannot have had, warm-up included
 */
public record LoadResult(
    int clients,
    long operations,
    Estimate perSecond,
    Estimate meanMillis,
    double p50Millis,
    double p99Millis,
    double maxMillis,
    long mismatches) {

  private static final double NANOS_PER_MILLI = 1e6;
  private static final double HALF = 50;
  private static final double NEARLY_ALL = 99;

  static LoadResult of(
      int clients, Estimate perSecond, Estimate meanMillis, Histogram nanos, long mismatches) {
    return new LoadResult(
        clients,
        nanos.getTotalCount(),
        perSecond,
        meanMillis,
        nanos.getValueAtPercentile(HALF) / NANOS_PER_MILLI,
        nanos.getValueAtPercentile(NEARLY_ALL) / NANOS_PER_MILLI,
        nanos.getMaxValue() / NANOS_PER_MILLI,
        mismatches);
  }

  /**
   * Returns the result as JSON. Scripts read this, so fields keep their names, meanings and order;
   * new ones are added at the end.
   */
  public ObjectNode json() {
    ObjectNode root =
        JsonFile.of("load", 1)
            .put("clients", clients)
            .put("operations", operations)
            .put("operationsPerSecond", rounded(perSecond.mean()))
            .put("meanMs", rounded(meanMillis.mean()))
            .put("p50Ms", rounded(p50Millis))
            .put("p99Ms", rounded(p99Millis))
            .put("maxMs", rounded(maxMillis))
            .put("mismatches", mismatches);
    interval(root, "operationsPerSecondInterval", perSecond);
    interval(root, "meanMsInterval", meanMillis);
    return root;
  }

  private static void interval(ObjectNode root, String name, Estimate estimate) {
    root.putNull(name);
    if (!Double.isNaN(estimate.halfWidth())) {
      root.putArray(name).add(rounded(Math.max(0, estimate.low()))).add(rounded(estimate.high()));
    }
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }

  /** Writes {@link #json} to a file, replacing it. */
  public void write(Path file) throws IOException {
    JsonFile.write(json(), file);
  }

  /** Returns a line for people to read. */
  public String summary() {
    if (operations == 0) {
      return clients
          + " clients, no request answered after the first tenth of the time and before its end:"
          + " take more time; "
          + mismatches
          + " mismatches";
    }
    return String.format(
        Locale.ROOT,
        "%d clients, %d operations: %.1f a second%s, mean %.2f ms%s, half within %.2f ms, 99 %%"
            + " within %.2f ms, all within %.2f ms; %d mismatches",
        clients,
        operations,
        perSecond.mean(),
        interval("%.1f", perSecond),
        meanMillis.mean(),
        interval("%.2f", meanMillis),
        p50Millis,
        p99Millis,
        maxMillis,
        mismatches);
  }

  private static String interval(String format, Estimate estimate) {
    return Double.isNaN(estimate.halfWidth())
        ? ""
        : String.format(Locale.ROOT, " (± " + format + ")", estimate.halfWidth());
  }

  /**
   * The times of requests that ended between a warm-up and an end. Not safe for use by several
   * threads: each client has its own.
   */
  static final class LoadTimes {

    private static final int PARTS = 20;
    private static final int DIGITS = 3;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;

    private final long from;
    private final long to;
    private final Histogram nanos = new Histogram(DIGITS);
    private final long[] counts = new long[PARTS];
    private final double[] sums = new double[PARTS];

    LoadTimes(long from, long to) {
      this.from = from;
      this.to = to;
    }

    void add(long start, long end) {
      if (end < from || end >= to) {
        return;
      }
      nanos.recordValue(end - start);
      int part = (int) ((double) (end - from) / (to - from) * PARTS);
      counts[Math.min(part, PARTS - 1)]++;
      sums[Math.min(part, PARTS - 1)] += end - start;
    }

    void add(LoadTimes other) {
      nanos.add(other.nanos);
      Arrays.setAll(counts, i -> counts[i] + other.counts[i]);
      Arrays.setAll(sums, i -> sums[i] + other.sums[i]);
    }

    LoadResult result(int clients, long mismatches) {
      double partSeconds = (to - from) / NANOS_PER_SECOND / PARTS;
      Estimate perSecond =
          Statistics.estimate(Arrays.stream(counts).mapToDouble(n -> n / partSeconds).toArray());
      // The mean of requests, not of parts: a part counts for as many requests as it had.
      double mean = nanos.getTotalCount() == 0 ? 0 : Arrays.stream(sums).sum() / total();
      double[] means =
          IntStream.range(0, PARTS)
              .filter(i -> counts[i] > 0)
              .mapToDouble(i -> sums[i] / counts[i] / NANOS_PER_MILLI)
              .toArray();
      double halfWidth = means.length < 2 ? Double.NaN : Statistics.estimate(means).halfWidth();
      Estimate millis = new Estimate(mean / NANOS_PER_MILLI, halfWidth, means.length);
      return LoadResult.of(clients, perSecond, millis, nanos, mismatches);
    }

    private double total() {
      return nanos.getTotalCount();
    }
  }
}
