package io.github.roram.auditor.time;

import java.util.Arrays;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;
import org.apache.commons.math3.stat.inference.KolmogorovSmirnovTest;

/** Times of both sides of a pair, in nanoseconds. Not thread safe. */
final class Samples {

  private static final double CROPPED = 0.95;

  private final double[][] values;
  private final int[] counts = new int[2];

  /** Room for so many of each side; more are left out. */
  Samples(int most) {
    values = new double[2][most];
  }

  void add(int side, long nanos) {
    if (counts[side] < values[side].length) {
      values[side][counts[side]++] = nanos;
    }
  }

  boolean isFull() {
    return counts[0] == values[0].length && counts[1] == values[1].length;
  }

  int count() {
    return Math.min(counts[0], counts[1]);
  }

  double[] of(int side) {
    return Arrays.copyOf(values[side], counts[side]);
  }

  /** Welch's t of the means. */
  double welch() {
    return welch(Double.POSITIVE_INFINITY);
  }

  /** The same of those below the 95th percentile of all: what the machine did else is above. */
  double croppedWelch() {
    double[] all = Arrays.copyOf(of(0), counts[0] + counts[1]);
    System.arraycopy(values[1], 0, all, counts[0], counts[1]);
    Arrays.sort(all);
    return welch(all[(int) (CROPPED * (all.length - 1))]);
  }

  private double welch(double below) {
    SummaryStatistics a = summary(0, below);
    SummaryStatistics b = summary(1, below);
    double variance = a.getVariance() / a.getN() + b.getVariance() / b.getN();
    return variance > 0 ? (a.getMean() - b.getMean()) / Math.sqrt(variance) : 0;
  }

  private SummaryStatistics summary(int side, double below) {
    SummaryStatistics summary = new SummaryStatistics();
    Arrays.stream(of(side)).filter(value -> value <= below).forEach(summary::addValue);
    return summary;
  }

  double mean(int side) {
    return summary(side, Double.POSITIVE_INFINITY).getMean();
  }

  /** Largest distance of the distributions, and how likely it is by chance. */
  double[] kolmogorovSmirnov() {
    KolmogorovSmirnovTest test = new KolmogorovSmirnovTest();
    double statistic = test.kolmogorovSmirnovStatistic(of(0), of(1));
    return new double[] {statistic, test.approximateP(statistic, counts[0], counts[1])};
  }
}
