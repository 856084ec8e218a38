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
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;
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

  /** Whether a file appears or is replaced: it can be written in any order, and begins empty. */
  boolean isFile() {
    Path file = Path.of(target);
    return !target.equals(STANDARD_OUTPUT) && (Files.isRegularFile(file) || !Files.exists(file));
  }

  /** Calls the writer; a file that is replaced stays as it was until all is written. */
  void write(Environment environment, Writer writer) throws IOException {
    if (isFile()) {
      writeFile(writer::writeTo);
      return;
    }
    if (target.equals(STANDARD_OUTPUT)) {
      OutputStream out = environment.out();
      writer.writeTo(Channels.newChannel(out));
      if (environment.out().checkError()) {
        throw new IOException("standard output was closed before all data was written");
      }
      return;
    }
    // A device or a pipe: nothing to replace it with.
    try (FileChannel channel = FileChannel.open(Path.of(target), StandardOpenOption.WRITE)) {
      writer.writeTo(channel);
    }
  }

  /** As {@link #write}, where the output {@linkplain #isFile is a file}. */
  void writeFile(FileWriter writer) throws IOException {
    Path file = Path.of(target);
    Path part = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + ".part");
    Set<PosixFilePermission> kept = permissions(file);
    FileAttribute<?>[] attributes =
        kept.isEmpty()
            ? new FileAttribute<?>[0]
            : new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(kept)};
    try {
      Set<StandardOpenOption> options =
          Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      try (FileChannel channel = FileChannel.open(part, options, attributes)) {
        writer.writeTo(channel);
      }
      if (!kept.isEmpty()) {
        // The umask may have taken some.
        Files.setPosixFilePermissions(part, kept);
      }
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /** Those of a file that is replaced; empty where there is none, or none of this kind. */
  private static Set<PosixFilePermission> permissions(Path file) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    return view != null && Files.exists(file) ? view.readAttributes().permissions() : Set.of();
  }
}
