package io.github.roram.bench.trace;

import org.jspecify.annotations.Nullable;

/** Lines of this project's own CSV. No field of it is ever quoted. */
final class CsvLine implements LineParser {

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
