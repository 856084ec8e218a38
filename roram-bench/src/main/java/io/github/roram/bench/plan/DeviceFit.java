package io.github.roram.bench.plan;

import io.github.roram.storage.device.DeviceModel;
import io.github.roram.storage.device.IoCounts;
import java.util.List;
import java.util.Locale;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;
import org.apache.commons.math3.linear.SingularValueDecomposition;

/**
 * A device model that fits measured requests: what a round trip, a seek and a byte cost, none of
 * them below nothing. Relative errors are made small, by least squares: a short request counts as
 * much as a long one.
 *
 * @param device the model
 * @param meanError mean of |modelled − measured| / measured
 * @param worstError the largest of them
 */
public record DeviceFit(DeviceModel device, double meanError, double worstError) {

  private static final double NANOS = 1e9;
  private static final int TERMS = 3;

  /** No device is faster: a byte that costs nothing would have no rate. */
  private static final double LEAST_SECONDS_A_BYTE = 1e-12;

  /**
   * One measured kind of requests.
   *
   * @param counts what was asked for
   * @param seconds how long it took
   */
  public record Sample(IoCounts counts, double seconds) {}

  /**
   * The model that fits best.
   *
   * @param samples at least three, of different kinds
   */
  public static DeviceFit of(String id, List<Sample> samples) {
    if (samples.size() < TERMS) {
      throw new IllegalArgumentException(samples.size() + " samples, must be 3 at least");
    }
    double[] best = new double[TERMS];
    double least = Double.POSITIVE_INFINITY;
    // Terms that would come out negative are left out: all subsets are few.
    for (int terms = 1; terms < 1 << TERMS; terms++) {
      double[] fit = solve(samples, terms);
      double error = squares(samples, fit);
      if (fit[0] >= 0 && fit[1] >= 0 && fit[2] >= 0 && error < least) {
        least = error;
        best = fit;
      }
    }
    DeviceModel device = device(id, best);
    double sum = 0;
    double worst = 0;
    for (Sample sample : samples) {
      double error = Math.abs(device.seconds(sample.counts) / sample.seconds - 1);
      sum += error;
      worst = Math.max(worst, error);
    }
    return new DeviceFit(device, sum / samples.size(), worst);
  }

  private static double[] terms(Sample sample) {
    IoCounts counts = sample.counts;
    return new double[] {counts.roundTrips(), counts.seeks(), counts.bytes()};
  }

  private static double[] solve(List<Sample> samples, int chosen) {
    int columns = Integer.bitCount(chosen);
    RealMatrix matrix = new Array2DRowRealMatrix(samples.size(), columns);
    RealVector ones = new ArrayRealVector(samples.size(), 1);
    for (int row = 0; row < samples.size(); row++) {
      double[] terms = terms(samples.get(row));
      int column = 0;
      for (int term = 0; term < TERMS; term++) {
        if ((chosen & 1 << term) != 0) {
          matrix.setEntry(row, column++, terms[term] / samples.get(row).seconds);
        }
      }
    }
    RealVector found = new SingularValueDecomposition(matrix).getSolver().solve(ones);
    double[] fit = new double[TERMS];
    int column = 0;
    for (int term = 0; term < TERMS; term++) {
      if ((chosen & 1 << term) != 0) {
        fit[term] = found.getEntry(column++);
      }
    }
    return fit;
  }

  private static double squares(List<Sample> samples, double[] fit) {
    double sum = 0;
    for (Sample sample : samples) {
      double[] terms = terms(sample);
      double modelled = 0;
      for (int term = 0; term < TERMS; term++) {
        modelled += fit[term] * terms[term];
      }
      double error = modelled / sample.seconds - 1;
      sum += error * error;
    }
    return sum;
  }

  private static DeviceModel device(String id, double[] fit) {
    long roundTripNanos = Math.round(fit[0] * NANOS);
    long seekNanos = Math.round(fit[1] * NANOS);
    long rate = Math.round(1 / Math.max(LEAST_SECONDS_A_BYTE, fit[2]));
    String words =
        String.format(
            Locale.ROOT,
            "%s: %.4g ms a round trip, %.4g ms a seek, %.4g MB/s",
            id,
            roundTripNanos / 1e6,
            seekNanos / 1e6,
            rate / 1e6);
    return new DeviceModel(id, words, seekNanos, 0, roundTripNanos, rate);
  }
}
