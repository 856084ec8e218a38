package io.github.roram.bench.trace;

import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Lines of fio's I/O logs, versions 2 and 3. Version 3 puts the microseconds since the start of the
 * log before each line. File names hold no spaces: fio reads them up to the first one too. Requests
 * to different files of one log go to the same device here.
 *
 * <p>Passed over: what opens, closes or removes files, syncs, and waits, since a replay goes as
 * fast as it can; trims, since an ORAM's blocks always exist.
 */
final class FioLine implements LineParser {

  static final String HEADER_V2 = "fio version 2 iolog";
  static final String HEADER_V3 = "fio version 3 iolog";

  private static final Set<String> NO_TRANSFER =
      Set.of(
          "add", "open", "close", "unlink", "wait", "sync", "datasync", "sync_file_range", "trim");
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
