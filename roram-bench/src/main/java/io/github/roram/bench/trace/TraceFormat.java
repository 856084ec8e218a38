package io.github.roram.bench.trace;

import io.github.roram.bench.trace.Trace.TraceRequest;
import java.io.IOException;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The formats that traces come in. Which one a file has follows from its first line. Every line,
 * the last one too, ends with a line feed.
 */
public enum TraceFormat {
  /** Lines {@code timestamp_us,op,offset_bytes,length_bytes} below a header that says so. */
  CSV("CSV with the header " + CsvLine.HEADER),
  /** fio's I/O log without times: {@code filename action [offset length]}. */
  FIO_V2("fio iolog with the first line " + FioLine.HEADER_V2),
  /** fio's I/O log with times: {@code timestamp filename action [offset length]}. */
  FIO_V3("fio iolog with the first line " + FioLine.HEADER_V3),
  /**
   * The MSR Cambridge traces: {@code Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime},
   * with or without that header.
   */
  MSR("MSR Cambridge CSV of " + MsrLine.HEADER);

  private final String description;

  TraceFormat(String description) {
    this.description = description;
  }

  /** Returns what a file of this format looks like. */
  public String description() {
    return description;
  }

  /** The format of a trace with this first line, or null if none has it. */
  static @Nullable TraceFormat ofFirstLine(String line) {
    String trimmed = line.strip();
    if (trimmed.equals(CsvLine.HEADER)) {
      return CSV;
    }
    if (trimmed.equals(FioLine.HEADER_V2)) {
      return FIO_V2;
    }
    if (trimmed.equals(FioLine.HEADER_V3)) {
      return FIO_V3;
    }
    return MsrLine.looksLike(trimmed) ? MSR : null;
  }

  /**
   * Returns a parser of the format's lines, header included; formats with relative times keep
   * state.
   */
  LineParser newParser() {
    return switch (this) {
      case CSV -> new CsvLine();
      case FIO_V2 -> new FioLine(false);
      case FIO_V3 -> new FioLine(true);
      case MSR -> new MsrLine();
    };
  }

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

  /** Lines of this project's own CSV. No field of it is ever quoted. */
  static final class CsvLine implements LineParser {

    static final String HEADER = "timestamp_us,op,offset_bytes,length_bytes";

    @Override
    public @Nullable TraceRequest parse(String line) throws MalformedLineException {
      if (line.equals(HEADER)) {
        return null;
      }
      String[] fields = Fields.split(line, 4, HEADER);
      long timestampMicros = Fields.number(fields[0], "timestamp_us");
      boolean write = Fields.isWrite(fields[1], "R", "W");
      long offset = Fields.number(fields[2], "offset_bytes");
      long length = Fields.number(fields[3], "length_bytes");
      return length == 0 ? null : Fields.request(timestampMicros, write, offset, length);
    }
  }

  /**
   * Lines of fio's I/O logs, versions 2 and 3. Version 3 puts the microseconds since the start of
   * the log before each line. File names hold no spaces: fio reads them up to the first one too.
   * Requests to different files of one log go to the same device here.
   *
   * <p>Passed over: what opens, closes or removes files, syncs, and waits, since a replay goes as
   * fast as it can; trims, since an ORAM's blocks always exist.
   */
  static final class FioLine implements LineParser {

    static final String HEADER_V2 = "fio version 2 iolog";
    static final String HEADER_V3 = "fio version 3 iolog";

    private static final Set<String> NO_TRANSFER =
        Set.of(
            "add",
            "open",
            "close",
            "unlink",
            "wait",
            "sync",
            "datasync",
            "sync_file_range",
            "trim");
    private static final Pattern BLANKS = Pattern.compile("\\s+");

    private final boolean timed;
    private final String layout;

    FioLine(boolean timed) {
      this.timed = timed;
      this.layout = (timed ? "timestamp " : "") + "filename action [offset length]";
    }

    @Override
    public @Nullable TraceRequest parse(String line) throws MalformedLineException {
      if (line.equals(timed ? HEADER_V3 : HEADER_V2)) {
        return null;
      }
      String[] fields = BLANKS.split(line, -1);
      int action = timed ? 2 : 1;
      if (fields.length <= action) {
        throw new MalformedLineException(line, layout);
      }
      long timestampMicros = timed ? Fields.number(fields[0], "timestamp in microseconds") : 0;
      if (NO_TRANSFER.contains(fields[action])) {
        return null;
      }
      boolean write = Fields.isWrite(fields[action], "read", "write");
      if (fields.length != action + 3) {
        throw new MalformedLineException(line, layout);
      }
      long offset = Fields.number(fields[action + 1], "offset in bytes");
      long length = Fields.number(fields[action + 2], "length in bytes");
      return length == 0 ? null : Fields.request(timestampMicros, write, offset, length);
    }
  }

  /**
   * Lines of the MSR Cambridge traces (Narayanan, Donnelly and Rowstron, FAST 2008). Times are
   * Windows file times, in units of 100 ns; they are counted here from the trace's first request.
   */
  static final class MsrLine implements LineParser {

    static final String HEADER = "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime";

    private static final int FILETIME_UNITS_PER_MICRO = 10;
    private static final Pattern FIRST_LINE =
        Pattern.compile("\\d+,[^,]+,\\d+,(?i:read|write),\\d+,\\d+,\\d+");

    private long firstTimestamp = -1;

    /** Returns whether a line is of this format, as far as one line can tell. */
    static boolean looksLike(String line) {
      return line.equalsIgnoreCase(HEADER) || FIRST_LINE.matcher(line).matches();
    }

    @Override
    public @Nullable TraceRequest parse(String line) throws MalformedLineException {
      if (line.equalsIgnoreCase(HEADER)) {
        return null;
      }
      String[] fields = Fields.split(line, 7, HEADER);
      long timestamp = Fields.number(fields[0], "Timestamp in units of 100 ns");
      boolean write = Fields.isWrite(fields[3], "Read", "Write");
      long offset = Fields.number(fields[4], "Offset in bytes");
      long length = Fields.number(fields[5], "Size in bytes");
      if (firstTimestamp < 0) {
        firstTimestamp = timestamp;
      }
      if (length == 0) {
        return null;
      }
      // The traces are sorted by time of completion, so a request may have been issued before the
      // first.
      long micros = Math.max(0, timestamp - firstTimestamp) / FILETIME_UNITS_PER_MICRO;
      return Fields.request(micros, write, offset, length);
    }
  }

  /** Reads the fields that all formats share. */
  static final class Fields {

    private Fields() {}

    /** Returns a whole number, at least 0. */
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

    /** Returns the request; its end must fit a long. */
    static TraceRequest request(long timestampMicros, boolean write, long offset, long length)
        throws MalformedLineException {
      if (offset > Long.MAX_VALUE - length) {
        throw new MalformedLineException(
            length + " bytes at " + offset, "a request that ends below 2^63");
      }
      return new TraceRequest(timestampMicros, write, offset, length);
    }

    /** Returns whether an operation writes; in upper or lower case. */
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

    /** Returns the fields between commas. */
    static String[] split(String line, int count, String layout) throws MalformedLineException {
      String[] fields = line.split(",", -1);
      if (fields.length != count) {
        throw new MalformedLineException(line, count + " fields, " + layout);
      }
      return fields;
    }
  }

  /** The error of a line; the reader adds its position. */
  static final class MalformedLineException extends Exception {
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

  /** A line of a trace is not what its format demands. */
  public static final class TraceFormatException extends IOException {
    private static final long serialVersionUID = 1L;

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
    }

    private static String quote(String found) {
      int longest = 80;
      return found.length() <= longest
          ? "'" + found + "'"
          : "'" + found.substring(0, longest) + "…'";
    }
  }
}
