package io.github.roram.bench.load;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.roram.bench.statistics.Statistics.Estimate;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
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
   * As JSON. Scripts read this, so fields keep their names, meanings and order; new ones go to the
   * end.
   */
  public String json() throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode root =
        mapper
            .createObjectNode()
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
    return mapper.writeValueAsString(root);
  }

  private static void interval(ObjectNode root, String name, Estimate estimate) {
    if (!Double.isNaN(estimate.halfWidth())) {
      root.putArray(name).add(rounded(Math.max(0, estimate.low()))).add(rounded(estimate.high()));
    }
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }

  /** Writes {@link #json} to a file, replacing it. */
  public void write(Path file) throws IOException {
    try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      out.write(json() + "\n");
    }
  }

  /** One line for people. */
  public String summary() {
    return String.format(
        Locale.ROOT,
        "%d clients, %d operations: %.1f a second (± %.1f), mean %.2f ms (± %.2f), half within"
            + " %.2f ms, 99 %% within %.2f ms, all within %.2f ms; %d mismatches",
        clients,
        operations,
        perSecond.mean(),
        perSecond.halfWidth(),
        meanMillis.mean(),
        meanMillis.halfWidth(),
        p50Millis,
        p99Millis,
        maxMillis,
        mismatches);
  }
}
