package io.github.roram.bench.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A trace that can be read any number of times: a file, or one of the {@link BundledTraces}. Plain
 * or gzip and the {@link TraceFormat} are told from the content, whatever the name.
 */
public final class Trace {

  private final String name;
  private final ByteSource source;

  private Trace(String name, ByteSource source) {
    this.name = name;
    this.source = source;
  }

  /**
   * The trace that a user named: a file if there is one, else the bundled trace of that name.
   * Nothing is read yet.
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

  static Trace of(String name, ByteSource source) {
    return new Trace(name, source);
  }

  /** The path as given, or the name of the bundled trace. */
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
    return LineTraceReader.open(name, source.open());
  }

  /** The name. */
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

  /** Opens the bytes of a trace, from the first on. */
  @FunctionalInterface
  interface ByteSource {

    /** A new stream, which the caller closes. */
    InputStream open() throws IOException;
  }
}
