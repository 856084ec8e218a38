package io.github.roram.bench.report;

import java.util.Locale;

/** Figures as people read them: about three digits, with a unit. */
public final class Units {

  private static final double KILO = 1000;
  private static final int MAX_DECIMALS = 6;

  /** So that 9.996, which is shown as 10.0, counts as of the next power of ten. */
  private static final double ALMOST_ONE_MORE = 1.0005;

  private static final String[] BYTE_UNITS = {"B", "KB", "MB", "GB", "TB"};

  private Units() {}

  /** Bytes, in decimal units as disks are sold. */
  public static String bytes(long bytes) {
    return bytes((double) bytes);
  }

  /** Returns an average number of bytes, in the same units. */
  public static String bytes(double bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= KILO - 0.5 && unit < BYTE_UNITS.length - 1) {
      value /= KILO;
      unit++;
    }
    return number(value) + " " + BYTE_UNITS[unit];
  }

  /** Returns a number with about three significant digits, and groups of thousands. */
  public static String number(double value) {
    double size = Math.abs(value);
    int magnitude = size == 0 ? 2 : (int) Math.floor(Math.log10(size * ALMOST_ONE_MORE));
    int decimals = Math.min(MAX_DECIMALS, Math.max(0, 2 - magnitude));
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }

  /** Returns a number with two decimals, from 100 on with none. */
  public static String decimal(double value) {
    return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%.0f", value);
  }

  /** Returns a whole number with groups of thousands. */
  public static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** Returns a ratio, such as {@code 12.3x}. */
  public static String ratio(double value) {
    return number(value) + "x";
  }
}
