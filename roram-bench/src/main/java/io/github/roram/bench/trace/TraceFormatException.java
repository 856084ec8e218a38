package io.github.roram.bench.trace;

import java.io.IOException;

/** A line of a trace is not what its format demands. */
public final class TraceFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String trace;
  private final long line;

  /**
   * Names the place and both sides.
   *
   * @param trace the file, or the name of the bundled trace
   * @param line number of the line, from 1
   * @param found what stands there
   * @param expected what should
   */
  public TraceFormatException(String trace, long line, String found, String expected) {
    super(trace + ", line " + line + ": found " + quote(found) + ", expected " + expected);
    this.trace = trace;
    this.line = line;
  }

  /** The file, or the name of the bundled trace. */
  public String trace() {
    return trace;
  }

  /** Number of the line, from 1. */
  public long line() {
    return line;
  }

  private static String quote(String found) {
    int longest = 80;
    return found.length() <= longest ? "'" + found + "'" : "'" + found.substring(0, longest) + "…'";
  }
}
