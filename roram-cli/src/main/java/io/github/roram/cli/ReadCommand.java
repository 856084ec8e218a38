package io.github.roram.cli;

import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code roram read}: bytes of a store to a file. */
@Command(
    name = "read",
    mixinStandardHelpOptions = true,
    header = "Read bytes of a store.",
    description = {
      "",
      "The store learns the size of the accesses, rounded up to one of its range sizes, and nothing"
          + " else.",
      "",
      KeyOptions.HELP,
      "",
      ByteSizeConverter.SYNTAX,
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
      description = "First byte; need not be the first of a block.")
  long offset;

  @Option(
      names = "--length",
      required = true,
      paramLabel = "BYTES",
      description = "How many bytes.")
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
            try (Progress progress =
                Progress.start(
                    "read", Progress.BYTES, length, roram.environment(), roram.quiet())) {
              new StoreCopy(session).read(offset, length, channel, progress);
            }
          });
    }
    return ExitCodes.OK;
  }
}
