package io.github.roram.bench.report;

import java.util.List;
import java.util.Locale;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;
import org.apache.commons.math3.stat.regression.SimpleRegression;

/** Means with confidence intervals, and exponents. */
public final class Statistics {

  private static final double CONFIDENCE = 0.95;

  private Statistics() {}

  /**
   * A mean and half the width of its 95 % confidence interval.
   *
   * @param mean of the samples
   * @param halfWidth by Student's t; NaN for a single sample
   * @param samples how many
   */
  public record Estimate(double mean, double halfWidth, int samples) {

    /** Returns where the interval begins. */
    public double low() {
      return mean - halfWidth;
    }

    /** Returns where it ends. */
    public double high() {
      return mean + halfWidth;
    }

    /** This divided by another estimate, independent of it; the errors add up to first order. */
    public Estimate dividedBy(Estimate other) {
      double ratio = mean / other.mean;
      double relative = Math.hypot(halfWidth / mean, other.halfWidth / other.mean);
      return new Estimate(ratio, ratio * relative, Math.min(samples, other.samples));
    }
  }

  /** Returns the mean of at least one sample. */
  public static Estimate estimate(double... samples) {
    SummaryStatistics summary = new SummaryStatistics();
    for (double sample : samples) {
      summary.addValue(sample);
    }
    int count = samples.length;
    if (count < 2) {
      return new Estimate(summary.getMean(), Double.NaN, count);
    }
    double t = new TDistribution(count - 1).inverseCumulativeProbability((1 + CONFIDENCE) / 2);
    double halfWidth = t * summary.getStandardDeviation() / Math.sqrt(count);
    return new Estimate(summary.getMean(), halfWidth, count);
  }

  /**
   * The exponent b of y = a·x^b, by least squares on the logarithms.
   *
   * @param exponent b
   * @param halfWidth half of its 95 % confidence interval
   * @param determination R², 1 if the points lie on the curve
   */
  public record Fit(double exponent, double halfWidth, double determination) {

    /** Returns the exponent, its interval and R², as cells of a table. */
    public List<String> cells() {
      return List.of(
          Units.number(exponent),
          Units.number(exponent - halfWidth) + " to " + Units.number(exponent + halfWidth),
          Double.isNaN(determination)
              ? "constant"
              : String.format(Locale.ROOT, "%.4f", determination));
    }
  }

  /** Fits positive x and y, at least three of each. */
  public static Fit fit(double[] x, double[] y) {
    SimpleRegression regression = new SimpleRegression();
    for (int i = 0; i < x.length; i++) {
      regression.addData(Math.log(x[i]), Math.log(y[i]));
    }
    return new Fit(
        regression.getSlope(),
        regression.getSlopeConfidenceInterval(1 - CONFIDENCE),
        regression.getRSquare());
  }
}
