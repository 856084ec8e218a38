package io.github.roram.bench.load;

import io.github.roram.bench.statistics.Statistics;
import io.github.roram.bench.statistics.Statistics.Estimate;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * How long requests took, those that ended between a warm-up and an end. Not safe for use by
 * several threads: each client has its own.
 */
final class LoadTimes {

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
    // Of requests, not of parts: a part with few requests counts for as many as it had.
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
