package io.github.roram.bench.trace;

/** What is wrong with a line; the reader adds where it stands. */
final class MalformedLineException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String found;
  private final String expected;

  MalformedLineException(String found, String expected) {
    super("found '" + found + "', expected " + expected);
    this.found = found;
    this.expected = expected;
  }

  String found() {
    return found;
  }

  String expected() {
    return expected;
  }
}
