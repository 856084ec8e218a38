package io.github.roram.cli;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A number of bytes or of things: digits, or a power such as {@code 2^18}, then at most one suffix.
 * Suffixes are binary whichever way they are written: K, KB and KiB all mean 1024.
 */
final class ByteSizeConverter implements ITypeConverter<Long> {

  /** What help texts say about sizes. */
  static final String SYNTAX =
      "Sizes are bytes: 4096, 2^12, 4K, 4KB and 4KiB are the same; K, M, G, T are powers of 1024.";

  private static final Pattern SIZE =
      Pattern.compile("(\\d{1,18})(?:\\^(\\d{1,2}))?\\s*(?:([KMGT])(?:I?B)?|B)?");

  @Override
  public Long convert(String text) {
    Matcher matcher = SIZE.matcher(text.trim().toUpperCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is not a size; write 4096, 2^12, 64K, 16MB or 1GiB (powers of 1024)");
    }
    try {
      long number = Long.parseLong(matcher.group(1));
      if (matcher.group(2) != null) {
        number = power(number, Integer.parseInt(matcher.group(2)));
      }
      String suffix = matcher.group(3);
      int thousands = suffix == null ? 0 : "KMGT".indexOf(suffix) + 1;
      return Math.multiplyExact(number, 1L << (10 * thousands));
    } catch (ArithmeticException e) {
      throw new TypeConversionException("'" + text + "' is more than 2^63 - 1");
    }
  }

  private static long power(long base, int exponent) {
    long result = 1;
    for (int i = 0; i < exponent; i++) {
      result = Math.multiplyExact(result, base);
    }
    return result;
  }

  /** A size for people: exact where it is a multiple of a unit, else with two decimals. */
  static String format(long bytes) {
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    double value = bytes;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f %s", value, units[unit])
        : String.format(Locale.ROOT, "%.2f %s", value, units[unit]);
  }
}
