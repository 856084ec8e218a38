package io.github.roram.cli;

import io.github.roram.storage.device.IoCounts;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code roram export}: a whole store to a file. */
@Command(
    name = "export",
    mixinStandardHelpOptions = true,
    header = "Copy a store's data to a file.",
    description = {
      "",
      "The file gets all bytes of the store, blocks never written as zeros; with --length only so"
          + " many from its start, as after importing a shorter file.",
      "",
      KeyOptions.HELP,
      "",
      ByteSizeConverter.SYNTAX,
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  roram export file:/data/vault --out disk.img --key-file my.key",
      "  roram export file:/data/vault --out - --key-file my.key | gzip > disk.img.gz"
    })
final class ExportCommand extends AccessCommand {

  @Mixin OutputOption output;

  @Option(
      names = "--length",
      paramLabel = "BYTES",
      description = "How many bytes from the start (default: all).")
  @Nullable Long length;

  @Option(names = "--json", paramLabel = "FILE", description = "Write what it cost as JSON.")
  @Nullable Path json;

  @Override
  public Integer call() throws IOException {
    output.check();
    try (StoreSession session = open()) {
      long bytes = length != null ? length : session.oram().config().bytes();
      checkWithin(session, 0, bytes);
      IoCounts before = session.counts();
      long start = System.nanoTime();
      output.write(
          roram.environment(),
          channel -> {
            try (Progress progress =
                Progress.start(
                    "export", Progress.BYTES, bytes, roram.environment(), roram.quiet())) {
              new Transfer(session).read(0, bytes, channel, progress);
            }
          });
      TransferReport report =
          TransferReport.of(
              "export",
              session,
              "accesses",
              bytes,
              System.nanoTime() - start,
              session.counts().minus(before));
      roram.note("Exported " + report.summary());
      if (json != null) {
        report.write(json);
      }
    }
    return ExitCodes.OK;
  }
}
