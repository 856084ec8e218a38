package io.github.roram.cli;

import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code roram read}: bytes of a store to a file. */
@Command(
    name = "read",
    header = "Read bytes of a store.",
    description = {
      "",
      "The store learns only the size of the accesses, rounded up to one of its size" + " classes.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  roram read file:/data/vault --offset 1M --length 4K --out x --key-file my.key",
      "  roram read file:/data/vault --offset 0 --length 512 --out - \\",
      "    --key-file my.key | xxd"
    })
final class ReadCommand extends AccessCommand {

  @Option(
      names = "--offset",
      required = true,
      paramLabel = "BYTES",
      description = "The first byte; any byte of the store.")
  long offset;

  @Option(
      names = "--length",
      required = true,
      paramLabel = "BYTES",
      description = "Number of bytes.")
  long length;

  @Mixin OutputOption output;

  @Override
  public Integer call() throws IOException {
    output.check();
    try (OpenData session = openData()) {
      checkWithin(session, offset, length);
      output.write(
          roram.environment(),
          channel -> {
            try (Progress progress = roram.progress("read", length)) {
              new StoreCopy(session).read(offset, length, channel, progress);
            }
          });
    }
    return ExitCodes.OK;
  }
}
