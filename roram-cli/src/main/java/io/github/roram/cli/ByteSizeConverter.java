package io.github.roram.cli;

import io.github.roram.storage.ByteSizes;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A number of bytes or of things, written as {@link ByteSizes} reads it. */
final class ByteSizeConverter implements ITypeConverter<Long> {

  @Override
  public Long convert(String text) {
    try {
      return ByteSizes.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Returns a size for people to read: exact if it is a multiple of a unit, otherwise with two
   * decimals.
   */
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
