package io.github.roram.cli;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code roram write}: bytes of a file to a store. */
@Command(
    name = "write",
    header = "Write bytes to a store.",
    description = {
      "",
      "Bytes around those written keep their values. The store learns only the size of the"
          + " accesses, rounded up to one of its size classes.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  roram write file:/data/vault --offset 1M --in part.bin --key-file my.key",
      "  echo hello | roram write file:/data/vault --offset 0 --in - --key-file my.key"
    })
final class WriteCommand extends AccessCommand {

  private static final long UNKNOWN = -1;

  @Option(
      names = "--offset",
      required = true,
      paramLabel = "BYTES",
      description = "Where the first byte goes; any byte of the store.")
  long offset;

  @Option(
      names = "--in",
      required = true,
      paramLabel = "FILE",
      description = "The data; - for standard input.")
  String source;

  @Override
  public Integer call() throws IOException {
    if (source.equals("-")) {
      return write(Channels.newChannel(roram.environment().in()), UNKNOWN);
    }
    Path file = Path.of(source);
    try (FileChannel channel = FileChannel.open(file)) {
      return write(channel, Files.isRegularFile(file) ? channel.size() : UNKNOWN);
    }
  }

  private int write(ReadableByteChannel channel, long knownBytes) throws IOException {
    try (OpenData session = openData();
        Progress progress = roram.progress("write", knownBytes)) {
      checkWithin(session, offset, Math.max(0, knownBytes));
      long bytes = new StoreCopy(session).write(offset, channel, progress);
      roram.note("Wrote " + bytes + " bytes at " + offset + ".");
    }
    return ExitCodes.OK;
  }
}
