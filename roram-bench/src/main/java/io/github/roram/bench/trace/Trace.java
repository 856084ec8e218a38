package io.github.roram.bench.trace;

import io.github.roram.bench.trace.TraceFormat.LineParser;
import io.github.roram.bench.trace.TraceFormat.MalformedLineException;
import io.github.roram.bench.trace.TraceFormat.TraceFormatException;
import io.github.roram.threads.IoCall;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A trace that can be read any number of times: a file, or one of the {@link BundledTraces}. Plain
 * or gzip and the {@link TraceFormat} are recognised by the content, whatever the name.
 */
public final class Trace {

  private final String name;

  /** Opens the bytes, from the first on; who calls it closes them. */
  private final IoCall<InputStream> source;

  private Trace(String name, IoCall<InputStream> source) {
    this.name = name;
    this.source = source;
  }

  /**
   * Returns the trace that a user named: a file if it exists, otherwise the bundled trace of that
   * name. Reads nothing yet.
   *
   * @throws NoSuchFileException if it is neither
   */
  public static Trace find(String pathOrBundledName) throws IOException {
    Path path;
    try {
      path = Path.of(pathOrBundledName);
    } catch (InvalidPathException e) {
      throw notFound(pathOrBundledName);
    }
    if (Files.exists(path)) {
      return of(path);
    }
    if (BundledTraces.names().contains(pathOrBundledName)) {
      return BundledTraces.open(pathOrBundledName);
    }
    throw notFound(pathOrBundledName);
  }

  /** The trace in a file, named as the path is written. */
  public static Trace of(Path file) {
    return new Trace(file.toString(), () -> Files.newInputStream(file));
  }

  static Trace of(String name, IoCall<InputStream> source) {
    return new Trace(name, source);
  }

  /** Returns the path as given, or the name of the bundled trace. */
  public String name() {
    return name;
  }

  /**
   * Starts to read.
   *
   * @return a reader that stands before the first request; the caller closes it
   * @throws TraceFormatException if the first line is of no known format
   */
  public TraceReader reader() throws IOException {
    return LineTraceReader.open(name, source.call());
  }

  /** Returns the name. */
  @Override
  public String toString() {
    return name;
  }

  private static NoSuchFileException notFound(String wanted) {
    return new NoSuchFileException(
        wanted,
        null,
        "neither a file nor a bundled trace; bundled are "
            + String.join(", ", BundledTraces.names()));
  }

  /**
   * The traces that come with this module: FileBench workloads on a device of 1 GiB (2^18 blocks of
   * 4 KiB), captured from a running system. The README next to them says where they are from.
   */
  public static final class BundledTraces {

    /** Size of the device that they were captured on, in bytes. */
    public static final long DEVICE_BYTES = 1L << 30;

    private static final List<String> NAMES = List.of("fileserver-1g", "videoserver-1g", "seq-1g");

    private BundledTraces() {}

    /** Their names. */
    public static List<String> names() {
      return NAMES;
    }

    /**
     * Returns the trace of that name.
     *
     * @throws NoSuchFileException if there is none
     */
    public static Trace open(String name) throws IOException {
      if (!NAMES.contains(name)) {
        throw new NoSuchFileException(
            name, null, "no such bundled trace; there are " + String.join(", ", NAMES));
      }
      return Trace.of(name, () -> resource(name));
    }

    private static InputStream resource(String name) throws IOException {
      InputStream in =
          BundledTraces.class.getResourceAsStream(
              "/io/github/roram/bench/traces/" + name + ".csv.gz");
      if (in == null) {
        throw new NoSuchFileException(
            name, null, "the jar lacks this bundled trace; build it again");
      }
      return in;
    }
  }

  /**
   * One request to a block device.
   *
   * @param timestampMicros when it was issued, in microseconds since the trace's own zero; formats
   *     without times have 0
   * @param write whether it writes
   * @param offsetBytes first byte on the device, at least 0
   * @param lengthBytes bytes, at least 1
   */
  public record TraceRequest(
      long timestampMicros, boolean write, long offsetBytes, long lengthBytes) {

    /** Checks that the request names bytes that can exist. */
    public TraceRequest {
      if (offsetBytes < 0 || lengthBytes < 1 || offsetBytes > Long.MAX_VALUE - lengthBytes) {
        throw new IllegalArgumentException(
            "request of "
                + lengthBytes
                + " bytes at "
                + offsetBytes
                + ": the offset must not be negative and the length at least 1");
      }
    }

    /** Returns the first byte after the request. */
    public long endBytes() {
      return offsetBytes + lengthBytes;
    }
  }

  /** The requests of a trace, in order, read as they are asked for. Not thread safe. */
  public interface TraceReader extends Closeable {

    /**
     * Returns the next request, or null at the end. Lines that stand for no transfer of data (empty
     * ones, opens, syncs, requests of no bytes) are passed over.
     *
     * @throws TraceFormatException if the line is malformed; reading cannot go on
     */
    @Nullable TraceRequest next() throws IOException;

    /** Returns the number of the line, starting at 1, of the last request; 0 before the first. */
    long line();

    @Override
    void close() throws IOException;
  }

  /**
   * Reads a trace line by line, holding one line at a time. Each line ends with a line feed, the
   * last one too: without it nothing tells a number from the start of a longer one.
   */
  static final class LineTraceReader implements TraceReader {

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

    /** Returns the next line without its end, or null; counts it. */
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

    /**
     * Reads a character; its errors tell where a broken file ends, such as a gzip that was cut off.
     */
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
}
