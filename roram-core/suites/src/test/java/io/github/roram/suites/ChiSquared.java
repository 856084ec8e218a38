package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;

/**
 * Pearson's chi-squared tests, by the normal approximation of Wilson and Hilferty (1931). Both
 * tails fail: labels that are too even are not random either. The bound of 6.5 standard deviations
 * is exceeded by chance once in some 10^10 tests.
 */
public final class ChiSquared {

  private static final double BOUND = 6.5;
  private static final int LEAST_EXPECTED = 5;

  private ChiSquared() {}

  /** Fails unless the labels look uniform over 0 … leaves − 1. */
  public static void assertUniform(List<Integer> labels, int leaves) {
    long[] counts = new long[leaves];
    labels.forEach(label -> counts[label]++);
    double expected = (double) labels.size() / leaves;
    assertThat(expected).as("samples in each bin").isGreaterThan(LEAST_EXPECTED);
    double sum = 0;
    for (long count : counts) {
      sum += (count - expected) * (count - expected) / expected;
    }
    assertNormal(sum, leaves - 1, Arrays.toString(counts));
  }

  /**
   * Fails unless the pairs look independent of each other.
   *
   * @param bins number of values of each: 0 … bins − 1
   */
  public static void assertIndependent(List<Integer> first, List<Integer> second, int bins) {
    double[][] counts = new double[bins][bins];
    double[] rows = new double[bins];
    double[] columns = new double[bins];
    for (int i = 0; i < first.size(); i++) {
      counts[first.get(i)][second.get(i)]++;
      rows[first.get(i)]++;
      columns[second.get(i)]++;
    }
    double sum = 0;
    for (int row = 0; row < bins; row++) {
      for (int column = 0; column < bins; column++) {
        double expected = rows[row] * columns[column] / first.size();
        assertThat(expected).as("samples in each bin").isGreaterThan(LEAST_EXPECTED);
        double off = counts[row][column] - expected;
        sum += off * off / expected;
      }
    }
    assertNormal(sum, (bins - 1) * (bins - 1), Arrays.deepToString(counts));
  }

  private static void assertNormal(double chiSquared, int freedom, String counts) {
    double variance = 2.0 / (9 * freedom);
    double normal = (Math.cbrt(chiSquared / freedom) - (1 - variance)) / Math.sqrt(variance);
    assertThat(Math.abs(normal))
        .as("chi squared %s of %d degrees of freedom: %s", chiSquared, freedom, counts)
        .isLessThan(BOUND);
  }
}
