package io.github.roram.auditor.judge;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.math3.distribution.BinomialDistribution;

/**
 * Whether two samples come from one distribution: for every value, how many of each side are equal
 * to it, and how many are at least it. Of the pooled ones each is of either side with its share of
 * the samples, so each count is binomial. This finds one odd value in a hundred, which a test of
 * means or of quantiles does not.
 */
final class TwoSamples {

  private static final int MOST_VALUES = 200;

  private final TreeMap<Long, long[]> counts = new TreeMap<>();
  private final long[] sizes = new long[2];

  /** Adds a value of side 0 or 1. */
  void add(int side, long value) {
    counts.computeIfAbsent(value, v -> new long[2])[side]++;
    sizes[side]++;
  }

  /** Of several kinds of values the one that differs most, all tests taken together. */
  static Outcome leastLikely(Map<String, TwoSamples> samples, String what, String ifNone) {
    double least = 2;
    int tests = 0;
    String evidence = "";
    for (var entry : samples.entrySet()) {
      if (entry.getValue().isEmpty()) {
        continue;
      }
      tests++;
      Result result = entry.getValue().test();
      if (result.probability() < least) {
        least = result.probability();
        evidence = entry.getKey() + ", " + what + " " + result.evidence();
      }
    }
    return tests == 0
        ? Outcome.notApplicable(ifNone)
        : Outcome.byChance(Math.min(1, least * tests), evidence);
  }

  boolean isEmpty() {
    return sizes[0] == 0 || sizes[1] == 0;
  }

  /**
   * The most unlikely of all counts.
   *
   * @param probability by chance, for all counts together
   * @param evidence which count
   */
  record Result(double probability, String evidence) {}

  /** Tests. */
  Result test() {
    double share = (double) sizes[0] / (sizes[0] + sizes[1]);
    long[] atLeast = sizes.clone();
    int step = Math.max(1, counts.size() / MOST_VALUES);
    int index = 0;
    double least = 1;
    int tests = 0;
    String evidence = "the same values on both sides";
    for (var entry : counts.entrySet()) {
      if (index++ % step == 0) {
        double tail = probability(atLeast, share);
        double equal = probability(entry.getValue(), share);
        tests += 2;
        if (Math.min(tail, equal) < least) {
          least = Math.min(tail, equal);
          evidence =
              describe(
                  tail < equal ? "at least " : "",
                  entry.getKey(),
                  tail < equal ? atLeast : entry.getValue());
        }
      }
      atLeast[0] -= entry.getValue()[0];
      atLeast[1] -= entry.getValue()[1];
    }
    return new Result(Math.min(1, least * tests), evidence);
  }

  private String describe(String which, long value, long[] found) {
    return String.format(
        Locale.ROOT,
        "%s%d: %d of %d on one side, %d of %d on the other",
        which,
        value,
        found[0],
        sizes[0],
        found[1],
        sizes[1]);
  }

  private static double probability(long[] found, double share) {
    int all = (int) Arrays.stream(found).sum();
    BinomialDistribution binomial = new BinomialDistribution(null, all, share);
    double below = binomial.cumulativeProbability((int) found[0]);
    // The upper tail is the other side's lower one: a difference from 1 would lose it.
    BinomialDistribution other = new BinomialDistribution(null, all, 1 - share);
    double above = other.cumulativeProbability((int) found[1]);
    return Math.min(1, 2 * Math.min(below, above));
  }
}
