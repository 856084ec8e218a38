package io.github.roram.cli;

import io.github.roram.storage.file.DurableFiles;
import io.github.roram.storage.file.ReplacedFile;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import picocli.CommandLine.Option;

/** Where data goes: a file, which appears when it is complete, or standard output. */
final class OutputOption {

  private static final String STANDARD_OUTPUT = "-";

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description = "File for the data; - for standard output.")
  String target;

  @Option(names = "--force", description = "Replace --out if it exists.")
  boolean force;

  /** Writes the data. */
  @FunctionalInterface
  interface Writer {
    void writeTo(WritableByteChannel channel) throws IOException;
  }

  /** Writes the data in any order. */
  @FunctionalInterface
  interface FileWriter {
    void writeTo(FileChannel empty) throws IOException;
  }

  /** Refuses a file that exists, unless forced. */
  void check() {
    if (!target.equals(STANDARD_OUTPUT) && !force && Files.exists(Path.of(target))) {
      throw new UsageException(target + " exists; add --force to replace it");
    }
  }

  /**
   * Returns whether the output is a file that is created or replaced: it is empty at first and can
   * be written in any order.
   */
  boolean isFile() {
    Path file = Path.of(target);
    return !target.equals(STANDARD_OUTPUT) && (Files.isRegularFile(file) || !Files.exists(file));
  }

  /** Calls the writer; a file that is replaced stays as it was until all is written. */
  void write(Environment environment, Writer writer) throws IOException {
    if (!target.equals(STANDARD_OUTPUT)) {
      writeFile(writer::writeTo);
      return;
    }
    writer.writeTo(Channels.newChannel(new Printed(environment.out())));
  }

  /** Standard output, which itself does not say at once that nobody takes what it is given. */
  private static final class Printed extends FilterOutputStream {
    private final PrintStream standard;

    Printed(PrintStream standard) {
      super(standard);
      this.standard = standard;
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
      standard.write(bytes, offset, count);
      if (standard.checkError()) {
        throw new IOException("standard output was closed before all data was written");
      }
    }
  }

  /** Writes an output that {@linkplain #isFile is a file}, in any order. */
  void writeFile(FileWriter writer) throws IOException {
    try (ReplacedFile file = ReplacedFile.begin(Path.of(target))) {
      try (FileChannel channel =
          FileChannel.open(
              file.path(),
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE)) {
        writer.writeTo(channel);
      }
      file.commit();
    } catch (IOException e) {
      throw DurableFiles.orFull(Path.of(target), e);
    }
  }
}
