package io.github.roram.auditor.judge;

import io.github.roram.auditor.judge.Chance.LeastLikely;
import io.github.roram.auditor.judge.Check.CheckOutcome;
import java.util.Arrays;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.commons.math3.distribution.BinomialDistribution;
import org.apache.commons.math3.distribution.ChiSquaredDistribution;
import org.apache.commons.math3.distribution.HypergeometricDistribution;
import org.apache.commons.math3.distribution.PoissonDistribution;
import org.apache.commons.math3.special.Beta;

/**
 * Computes the probability that counts are due to chance alone.
 *
 * <p>An audit makes some hundred tests (pairs, observers, trees, lags). Each has the level {@link
 * #LEVEL}, so that, by Bonferroni's bound, an audit with up to 10^4 tests of a store that reveals
 * nothing raises a false alarm in less than one of 10^4 runs.
 */
final class Chance {

  /** A test whose probability is below this tells apart. */
  static final double LEVEL = 1e-8;

  /** The two-sided deviation of a normal variable that has this probability. */
  static final double LEVEL_DEVIATIONS = 5.73;

  /** The two-sided deviation of a 95 % confidence interval. */
  static final double INTERVAL_DEVIATIONS = 1.96;

  /** Deviations beyond a threshold at which it is exceeded 19 times out of 20. */
  static final double POWER_DEVIATIONS = 1.65;

  /** Below this many expected in a bin, Pearson's statistic is not chi-squared so far out. */
  static final double LEAST_EXPECTED = 20;

  private static final int LEAST_FREEDOM_OF_BOTH_TAILS = 30;

  private Chance() {}

  /** Returns the probability that a Poisson variable with this mean is at least {@code count}. */
  static double poissonTail(long count, double mean) {
    if (count <= mean || mean <= 0) {
      return count > 0 && mean <= 0 ? 0 : 1;
    }
    // One minus a sum that is close to 1 would be 0 too early.
    PoissonDistribution poisson = new PoissonDistribution(mean);
    double sum = 0;
    for (long k = count; k < count + 1000; k++) {
      sum += poisson.probability((int) k);
    }
    return Math.min(1, sum);
  }

  /**
   * Returns the probability, for independent uniform labels, of at least {@code count} equal pairs.
   * Pairs are not independent: a label that happens to be frequent makes many of them. So their
   * number is Poisson only while labels are few; with few leaves it has the longer tail of
   * Pearson's statistic. A negative binomial variable plus a constant, with the same mean and
   * variance, has these two as its limits, and a sufficiently long tail in between.
   *
   * @param mean expected number of pairs, above 0
   * @param squares sum over all labels of the squared number of earlier labels that it is expected
   *     to equal
   */
  static double equalPairs(long count, double mean, double squares) {
    if (count <= mean) {
      return 1;
    }
    // How many labels before and after it a label is expected to equal.
    double excess = 2 * squares / mean;
    double constant = mean * excess / (1 + excess);
    return Beta.regularizedBeta(
        excess / (1 + excess), count - constant, (mean - constant) / excess);
  }

  /**
   * Pearson's test of counts against expected ones. Counts that are too even are also suspicious,
   * but with few bins they are quite likely, because they are whole numbers and may be exactly as
   * expected.
   */
  static double chiSquared(double statistic, int freedom) {
    double above = chiSquaredAbove(statistic, freedom);
    return freedom < LEAST_FREEDOM_OF_BOTH_TAILS ? above : 2 * Math.min(1 - above, above);
  }

  /** Returns the probability of at least this statistic, if too even a result is to be expected. */
  static double chiSquaredAbove(double statistic, int freedom) {
    return 1 - new ChiSquaredDistribution(null, freedom).cumulativeProbability(statistic);
  }

  /** Pearson's statistic. */
  static double pearson(double[] counts, double[] expected) {
    double sum = 0;
    for (int bin = 0; bin < counts.length; bin++) {
      double off = counts[bin] - expected[bin];
      sum += off * off / expected[bin];
    }
    return sum;
  }

  /**
   * Fisher's exact test: the probability that what occurs in so many runs of two sides is spread
   * over these as it is, or less evenly.
   *
   * @param found in how many runs of each side it occurs
   * @param runs of each side
   */
  static double inRuns(int[] found, int runs) {
    HypergeometricDistribution ofOne =
        new HypergeometricDistribution(null, 2 * runs, runs, found[0] + found[1]);
    double below = ofOne.cumulativeProbability(found[0]);
    double above = ofOne.upperCumulativeProbability(found[0]);
    return Math.min(1, 2 * Math.min(below, above));
  }

  /** The test with the least probability by chance, out of several, all taken together. */
  static final class LeastLikely {
    private double least = 2;
    private int tests;
    private String evidence = "";

    /** Adds a test. */
    void add(double probability, Supplier<String> what) {
      tests++;
      if (probability < least) {
        least = probability;
        evidence = what.get();
      }
    }

    /** Returns what they come to, by Bonferroni's bound. */
    CheckOutcome outcome(String ifNone) {
      return tests == 0
          ? CheckOutcome.notApplicable(ifNone)
          : CheckOutcome.byChance(Math.min(1, least * tests), evidence);
    }
  }

  /**
   * Returns the probability, by chance, of a table of counts whose rows and columns are
   * independent.
   */
  static double independence(double[][] table) {
    int columns = table[0].length;
    double[] inRow = new double[table.length];
    double[] inColumn = new double[columns];
    double all = 0;
    for (int row = 0; row < table.length; row++) {
      for (int column = 0; column < columns; column++) {
        inRow[row] += table[row][column];
        inColumn[column] += table[row][column];
        all += table[row][column];
      }
    }
    double sum = 0;
    for (int row = 0; row < table.length; row++) {
      for (int column = 0; column < columns; column++) {
        double expected = inRow[row] * inColumn[column] / all;
        double off = table[row][column] - expected;
        sum += expected > 0 ? off * off / expected : 0;
      }
    }
    return chiSquared(sum, (table.length - 1) * (columns - 1));
  }

  /**
   * Whether two samples come from one distribution: for every value, how many of each side are
   * equal to it, and how many are at least it. Of the pooled ones each is of either side with its
   * share of the samples, so each count is binomial. This finds one odd value in a hundred, which a
   * test of means or of quantiles does not.
   */
  static final class TwoSamples {

    private final TreeMap<Long, long[]> counts = new TreeMap<>();
    private final long[] sizes = new long[2];

    /** Adds a value of side 0 or 1. */
    void add(int side, long value) {
      counts.computeIfAbsent(value, v -> new long[2])[side]++;
      sizes[side]++;
    }

    /** Tests, unless a side has none. */
    void test(String what, LeastLikely least) {
      if (sizes[0] > 0 && sizes[1] > 0) {
        Result result = test();
        least.add(result.probability(), () -> what + result.evidence());
      }
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
      double least = 1;
      String evidence = "the same values on both sides";
      for (var entry : counts.entrySet()) {
        double tail = probability(atLeast, share);
        double equal = probability(entry.getValue(), share);
        if (Math.min(tail, equal) < least) {
          least = Math.min(tail, equal);
          evidence =
              describe(
                  tail < equal ? "at least " : "",
                  entry.getKey(),
                  tail < equal ? atLeast : entry.getValue());
        }
        atLeast[0] -= entry.getValue()[0];
        atLeast[1] -= entry.getValue()[1];
      }
      return new Result(Math.min(1, 2.0 * least * counts.size()), evidence);
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
}
