package io.github.roram.bench.trace;

import io.github.roram.bench.trace.Trace.TraceReader;
import io.github.roram.bench.trace.Trace.TraceRequest;
import io.github.roram.bench.trace.TraceFormat.LineParser;
import io.github.roram.bench.trace.TraceFormat.MalformedLineException;
import io.github.roram.bench.trace.TraceFormat.TraceFormatException;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a trace line by line, holding one line at a time. Each line ends with a line feed, the last
 * one too: without it nothing tells a number from the start of a longer one.
 */
final class LineTraceReader implements TraceReader {

  /** No format has longer lines; a file without line ends must not fill the memory. */
  private static final int MAX_LINE_CHARS = 8192;

  private static final int BUFFER_BYTES = 1 << 16;
  private static final int GZIP_MAGIC_0 = 0x1f;
  private static final int GZIP_MAGIC_1 = 0x8b;
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private final String name;
  private final BufferedReader in;
  private final LineParser parser;
  private @Nullable String firstLine;
  private long lineNumber;
  private long requestLine;

  private LineTraceReader(String name, BufferedReader in) throws IOException {
    this.name = name;
    this.in = in;
    String first = readLine();
    if (first != null && first.startsWith(BYTE_ORDER_MARK)) {
      first = first.substring(BYTE_ORDER_MARK.length());
    }
    TraceFormat format = first == null ? null : TraceFormat.ofFirstLine(first);
    if (format == null) {
      throw new TraceFormatException(name, 1, first == null ? "" : first, anyFormat());
    }
    firstLine = first;
    parser = format.newParser();
  }

  /** Reads the first line; closes the bytes if that fails. */
  static LineTraceReader open(String name, InputStream bytes) throws IOException {
    try {
      InputStream plain = unzipped(name, new BufferedInputStream(bytes, BUFFER_BYTES));
      return new LineTraceReader(
          name, new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8)));
    } catch (IOException e) {
      try (bytes) {
        throw e;
      }
    }
  }

  @Override
  public @Nullable TraceRequest next() throws IOException {
    while (true) {
      String line = firstLine;
      firstLine = null;
      if (line == null) {
        line = readLine();
      }
      if (line == null) {
        return null;
      }
      String stripped = line.strip();
      TraceRequest request = stripped.isEmpty() ? null : parse(stripped);
      if (request != null) {
        requestLine = lineNumber;
        return request;
      }
    }
  }

  @Override
  public long line() {
    return requestLine;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private @Nullable TraceRequest parse(String line) throws TraceFormatException {
    try {
      return parser.parse(line);
    } catch (MalformedLineException e) {
      throw new TraceFormatException(name, lineNumber, e.found(), e.expected());
    }
  }

  /** The next line without its end, or null; counts it. */
  private @Nullable String readLine() throws IOException {
    StringBuilder line = new StringBuilder();
    int c = read();
    if (c < 0) {
      return null;
    }
    lineNumber++;
    for (; c >= 0 && c != '\n'; c = read()) {
      if (line.length() == MAX_LINE_CHARS) {
        throw new TraceFormatException(
            name,
            lineNumber,
            line.toString(),
            "a line of at most " + MAX_LINE_CHARS + " characters");
      }
      line.append((char) c);
    }
    if (c < 0 && !line.toString().isBlank()) {
      throw new TraceFormatException(
          name,
          lineNumber,
          line.toString(),
          "a line feed at its end: the trace was cut off, or add one if the line is whole");
    }
    return line.toString();
  }

  /** A character; says where a broken file broke, such as a gzip that was cut off. */
  private int read() throws IOException {
    try {
      return in.read();
    } catch (IOException e) {
      throw new IOException(
          name + ": reading failed after line " + lineNumber + ": " + e.getMessage(), e);
    }
  }

  private static InputStream unzipped(String name, BufferedInputStream bytes) throws IOException {
    bytes.mark(2);
    boolean gzip = bytes.read() == GZIP_MAGIC_0 && bytes.read() == GZIP_MAGIC_1;
    bytes.reset();
    if (!gzip) {
      return bytes;
    }
    try {
      return new GZIPInputStream(bytes, BUFFER_BYTES);
    } catch (IOException e) {
      throw new IOException(name + ": the gzip is broken at its start: " + e.getMessage(), e);
    }
  }

  private static String anyFormat() {
    return Arrays.stream(TraceFormat.values())
        .map(TraceFormat::description)
        .collect(Collectors.joining("; or ", "the start of one of: ", ""));
  }
}
