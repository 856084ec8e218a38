package io.github.roram.bench.trace;

import org.jspecify.annotations.Nullable;

/**
 * The formats that traces come in. Which one a file has follows from its first line. Every line,
 * the last one too, ends with a line feed.
 */
public enum TraceFormat {
  /** Lines {@code timestamp_us,op,offset_bytes,length_bytes} below a header that says so. */
  CSV("csv", "CSV with the header " + CsvLine.HEADER),
  /** fio's I/O log without times: {@code filename action [offset length]}. */
  FIO_V2("fio-v2", "fio iolog with the first line " + FioLine.HEADER_V2),
  /** fio's I/O log with times: {@code timestamp filename action [offset length]}. */
  FIO_V3("fio-v3", "fio iolog with the first line " + FioLine.HEADER_V3),
  /**
   * The MSR Cambridge traces: {@code Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime},
   * with or without that header.
   */
  MSR("msr", "MSR Cambridge CSV of " + MsrLine.HEADER);

  private final String id;
  private final String description;

  TraceFormat(String id, String description) {
    this.id = id;
    this.description = description;
  }

  /** Short name. */
  public String id() {
    return id;
  }

  /** What a file of this format looks like. */
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

  /** A parser of the format's lines, header included; formats with relative times keep state. */
  LineParser newParser() {
    return switch (this) {
      case CSV -> new CsvLine();
      case FIO_V2 -> new FioLine(false);
      case FIO_V3 -> new FioLine(true);
      case MSR -> new MsrLine();
    };
  }
}
