package io.github.roram.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import picocli.CommandLine.Option;

/** Where data goes: a file, which appears when it is complete, or standard output. */
final class OutputOption {

  private static final String STANDARD_OUTPUT = "-";

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description = "Where the data goes; - for standard output.")
  String target;

  @Option(names = "--force", description = "Replace --out if it exists.")
  boolean force;

  /** Writes the data. */
  @FunctionalInterface
  interface Writer {
    void writeTo(WritableByteChannel channel) throws IOException;
  }

  /** Refuses a file that exists, unless forced. */
  void check() {
    if (!target.equals(STANDARD_OUTPUT) && !force && Files.exists(Path.of(target))) {
      throw new UsageException(target + " exists; add --force to replace it");
    }
  }

  /** Calls the writer; a file that is replaced stays as it was until all is written. */
  void write(Environment environment, Writer writer) throws IOException {
    if (target.equals(STANDARD_OUTPUT)) {
      OutputStream out = environment.out();
      writer.writeTo(Channels.newChannel(out));
      if (environment.out().checkError()) {
        throw new IOException("standard output was closed before all data was written");
      }
      return;
    }
    Path file = Path.of(target);
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      // A device or a pipe: nothing to replace it with.
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        writer.writeTo(channel);
      }
      return;
    }
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try {
      try (FileChannel channel =
          FileChannel.open(
              part,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE)) {
        writer.writeTo(channel);
      }
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }
}
