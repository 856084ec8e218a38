package io.github.roram.bench.trace;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The requests of a trace, in order, read as they are asked for. Not thread safe. */
public interface TraceReader extends Closeable {

  /**
   * The next request, or null at the end. Lines that stand for no transfer of data (empty ones,
   * opens, syncs, requests of no bytes) are passed over.
   *
   * @throws TraceFormatException if the line is malformed; reading cannot go on
   */
  @Nullable TraceRequest next() throws IOException;

  /** Number of the line, from 1, that the last request came from; 0 before the first. */
  long line();

  @Override
  void close() throws IOException;
}
