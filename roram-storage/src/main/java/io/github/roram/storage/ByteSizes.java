package io.github.roram.storage;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses sizes as people write them: digits, or a power such as {@code 2^18}, then at most one
 * suffix. Suffixes are binary whichever way they are written: K, KB and KiB all mean 1024.
 */
public final class ByteSizes {

  private static final Pattern SIZE =
      Pattern.compile("(\\d+)(?:\\^(\\d{1,4}))?\\s*(?:([KMGT])(?:I?B)?|B)?");

  private ByteSizes() {}

  /**
   * Returns the number of bytes that a text stands for.
   *
   * @throws IllegalArgumentException if it is no size, or above 2^63 - 1; the message quotes it
   */
  public static long parse(String text) {
    Matcher matcher = SIZE.matcher(text.trim().toUpperCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
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
    } catch (ArithmeticException | NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' is more than 2^63 - 1", e);
    }
  }

  private static long power(long base, int exponent) {
    long result = 1;
    for (int i = 0; i < exponent; i++) {
      result = Math.multiplyExact(result, base);
    }
    return result;
  }
}
