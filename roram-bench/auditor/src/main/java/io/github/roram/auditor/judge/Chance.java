package io.github.roram.auditor.judge;

import org.apache.commons.math3.distribution.ChiSquaredDistribution;
import org.apache.commons.math3.distribution.PoissonDistribution;

/**
 * How likely what was counted is by chance alone.
 *
 * <p>An audit makes some hundred tests (pairs, observers, trees, lags). Each one's level is {@link
 * #LEVEL}, so that, by Bonferroni's bound, an audit of up to 10^4 tests of a store that shows
 * nothing cries wolf in less than one of 10^4 runs.
 */
final class Chance {

  /** A test whose probability is below this tells apart. */
  static final double LEVEL = 1e-8;

  /** The two-sided deviation of a normal variable that has this probability. */
  static final double LEVEL_DEVIATIONS = 5.73;

  /** The two-sided deviation of a 95 % confidence interval. */
  static final double INTERVAL_DEVIATIONS = 1.96;

  /** What is so far beyond a threshold exceeds it 19 times of 20. */
  static final double POWER_DEVIATIONS = 1.65;

  /** Below this many expected in a bin, Pearson's statistic is not chi-squared so far out. */
  static final double LEAST_EXPECTED = 20;

  private static final int LEAST_FREEDOM_OF_BOTH_TAILS = 30;

  private Chance() {}

  /** The probability that a Poisson variable of this mean is at least {@code count}. */
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
   * Pearson's test of counts against what is expected. Too even is wrong too, but of few bins quite
   * likely: counts are whole numbers, and may be just what is expected.
   */
  static double chiSquared(double statistic, int freedom) {
    double below = new ChiSquaredDistribution(null, freedom).cumulativeProbability(statistic);
    double above = 1 - below;
    return freedom < LEAST_FREEDOM_OF_BOTH_TAILS ? above : 2 * Math.min(below, above);
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

  /** Probability, by chance, of a table of counts whose rows and columns are independent. */
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
}
