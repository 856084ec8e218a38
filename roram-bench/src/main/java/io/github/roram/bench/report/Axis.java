package io.github.roram.bench.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Values along an axis, three of which have a label at least: it begins and ends at one. */
final class Axis {

  private static final int MOST_TICKS = 8;

  /** Where the greatest value is less than this many times the least, ticks are evenly apart. */
  private static final double NARROW = 5;

  /** Ticks at 1, 2 and 5; more decades have them at powers of ten alone. */
  private static final int MOST_DECADES = 3;

  private static final int DIGITS = 6;

  private final double[] ticks;
  private final boolean logarithmic;

  private Axis(DoubleStream ticks, boolean logarithmic) {
    this.ticks = ticks.toArray();
    this.logarithmic = logarithmic;
  }

  /** Returns an axis from 0, or from below it. */
  static Axis linear(double... values) {
    return new Axis(even(DoubleStream.concat(Arrays.stream(values), DoubleStream.of(0))), false);
  }

  /** Places in order: each has a label where they are few. */
  static Axis between(double... places) {
    boolean few = places.length > 2 && places.length <= 2 * MOST_TICKS;
    return new Axis(few ? Arrays.stream(places) : even(Arrays.stream(places)), false);
  }

  /** Returns an axis of values above 0. */
  static Axis logarithmic(double... values) {
    double least = Arrays.stream(values).min().orElse(1);
    double most = Arrays.stream(values).max().orElse(10);
    if (most < NARROW * least) {
      return new Axis(even(Arrays.stream(values)), true);
    }
    int first = (int) Math.floor(Math.log10(least));
    int decades = (int) Math.ceil(Math.log10(most)) - first;
    int step = decades > MOST_DECADES ? (decades + MOST_TICKS - 1) / MOST_TICKS : 1;
    double[] all =
        IntStream.rangeClosed(0, (decades + step - 1) / step)
            .mapToDouble(i -> Math.pow(10, first + i * step))
            .flatMap(
                ten -> DoubleStream.of(ten, 2 * ten, 5 * ten).limit(decades > MOST_DECADES ? 1 : 3))
            .toArray();
    double low = Arrays.stream(all).filter(tick -> tick <= least).max().orElse(least);
    double high = Arrays.stream(all).filter(tick -> tick >= most).min().orElse(most);
    return new Axis(Arrays.stream(all).filter(tick -> tick >= low && tick <= high), true);
  }

  /** Multiples of 1, 2 or 5 times a power of ten around values. */
  private static DoubleStream even(DoubleStream values) {
    DoubleSummaryStatistics all = values.summaryStatistics();
    double low = all.getCount() == 0 ? 0 : all.getMin();
    double high = all.getMax() > low ? all.getMax() : low + (low == 0 ? 1 : Math.abs(low));
    double rough = (high - low) / MOST_TICKS;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double step = rough <= 2 * power ? 2 * power : rough <= 5 * power ? 5 * power : 10 * power;
    long first = (long) Math.floor(low / step);
    long last = Math.max(first + 2, (long) Math.ceil(high / step));
    return LongStream.rangeClosed(first, last).mapToDouble(i -> i * step);
  }

  /** Returns what has a label, in order. */
  double[] ticks() {
    return ticks.clone();
  }

  /** Returns where a value stands, from 0 at the beginning to 1 at the end. */
  double share(double value) {
    double low = scaled(ticks[0]);
    return (scaled(value) - low) / (scaled(ticks[ticks.length - 1]) - low);
  }

  private double scaled(double value) {
    return logarithmic ? Math.log10(value) : value;
  }

  /** Returns a label, written out if that is short. */
  static String label(double tick) {
    double size = Math.abs(tick);
    return size != 0 && (size < 1e-4 || size >= 1e6)
        ? String.format(Locale.ROOT, "%.5e", tick).replaceAll("\\.?0*e([+-])0*(\\d)", "e$1$2")
        : new BigDecimal(tick, new MathContext(DIGITS)).stripTrailingZeros().toPlainString();
  }
}
