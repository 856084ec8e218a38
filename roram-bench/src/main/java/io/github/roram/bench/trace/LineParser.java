package io.github.roram.bench.trace;

import org.jspecify.annotations.Nullable;

/** Turns the lines of one trace, from the first on, into requests. Not thread safe. */
interface LineParser {

  /**
   * The request of a line, or null if it stands for no transfer of data.
   *
   * @param line one line, stripped, not empty
   * @throws MalformedLineException if the line does not have the format
   */
  @Nullable TraceRequest parse(String line) throws MalformedLineException;
}
