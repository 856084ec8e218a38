package io.github.roram.bench.trace;

import java.util.Locale;

/** Reads the fields that all formats share. */
final class Fields {

  private Fields() {}

  /** A whole number from 0 on. */
  static long number(String field, String name) throws MalformedLineException {
    String digits = field.strip();
    try {
      long value = Long.parseLong(digits);
      if (value >= 0) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Reported below, like a negative number.
    }
    throw new MalformedLineException(digits, name + ", a whole number from 0 to 2^63 - 1");
  }

  /** The request, unless its end lies beyond what a long can hold. */
  static TraceRequest request(long timestampMicros, boolean write, long offset, long length)
      throws MalformedLineException {
    if (offset > Long.MAX_VALUE - length) {
      throw new MalformedLineException(
          length + " bytes at " + offset, "a request that ends below 2^63");
    }
    return new TraceRequest(timestampMicros, write, offset, length);
  }

  /** Whether an operation writes; upper or lower case. */
  static boolean isWrite(String field, String read, String write) throws MalformedLineException {
    String op = field.strip().toLowerCase(Locale.ROOT);
    if (op.equals(write.toLowerCase(Locale.ROOT))) {
      return true;
    }
    if (op.equals(read.toLowerCase(Locale.ROOT))) {
      return false;
    }
    throw new MalformedLineException(field.strip(), "the operation, " + read + " or " + write);
  }

  /** The fields between commas. */
  static String[] split(String line, int count, String layout) throws MalformedLineException {
    String[] fields = line.split(",", -1);
    if (fields.length != count) {
      throw new MalformedLineException(line, count + " fields, " + layout);
    }
    return fields;
  }
}
