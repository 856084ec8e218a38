package io.github.roram.bench.demo;

import java.util.Locale;

/** Figures as people read them: about three digits, with a unit. */
final class Units {

  private static final double KILO = 1000;
  private static final String[] BYTE_UNITS = {"B", "KB", "MB", "GB", "TB"};

  private Units() {}

  /** Bytes, in decimal units as disks are sold. */
  static String bytes(double bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= KILO - 0.5 && unit < BYTE_UNITS.length - 1) {
      value /= KILO;
      unit++;
    }
    return number(value) + " " + BYTE_UNITS[unit];
  }

  /** A number with about three significant digits, and groups of thousands. */
  static String number(double value) {
    double size = Math.abs(value);
    int decimals = size == 0 || size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
    if (size > 0 && size < 0.01) {
      decimals = 5;
    }
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }

  /** A ratio, such as {@code 12.3x}. */
  static String ratio(double value) {
    return number(value) + "x";
  }
}
