package io.github.roram.bench.trace;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Lines of the MSR Cambridge traces (Narayanan, Donnelly and Rowstron, FAST 2008). Times are
 * Windows file times, in units of 100 ns; they are counted here from the trace's first request.
 */
final class MsrLine implements LineParser {

  static final String HEADER = "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime";

  private static final int FILETIME_UNITS_PER_MICRO = 10;
  private static final Pattern FIRST_LINE =
      Pattern.compile("\\d+,[^,]+,\\d+,(?i:read|write),\\d+,\\d+,\\d+");

  private long firstTimestamp = -1;

  /** Whether a line is of this format, as precisely as can be told from one line. */
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
