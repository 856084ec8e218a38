package io.github.roram.cli;

import io.github.roram.storage.device.IoCounts;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code roram export}: a whole store to a file. */
@Command(
    name = "export",
    header = "Copy a store's data to a file.",
    description = {
      "",
      "The file receives all bytes of the store; blocks that were never written are zeros."
          + " With --length it receives only the first bytes.",
      "",
      "All of a store, or most of it, is read by one sequential scan: the store sees only"
          + " that everything was read. Ordinary accesses read a smaller part if that moves fewer"
          + " bytes, and anything that goes to standard output, a pipe or a device, because a scan"
          + " meets the blocks in no particular order. The command says which it did.",
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
      description = "Number of bytes from the start (default: all).")
  @Nullable Long length;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the cost as JSON.")
  @Nullable Path json;

  @Override
  public Integer call() throws IOException {
    output.check();
    try (OpenData data = openData()) {
      long bytes = length != null ? length : data.config().bytes();
      checkWithin(data, 0, bytes);
      IoCounts before = data.counts();
      long start = System.nanoTime();
      boolean scan = scanned(data, bytes);
      if (!scan) {
        output.write(roram.environment(), channel -> readAll(data, bytes, channel));
      }
      TransferReport report =
          TransferReport.of(
              "export",
              data.uri(),
              scan ? "scan" : "accesses",
              bytes,
              System.nanoTime() - start,
              data.counts().minus(before));
      roram.note("Exported by " + (scan ? "one scan: " : "ordinary accesses: ") + report.summary());
      if (json != null) {
        report.write(json);
      }
    }
    return ExitCodes.OK;
  }

  /** False if ordinary accesses are to be made. */
  private boolean scanned(OpenData data, long bytes) throws IOException {
    if (!(data instanceof StoreSession session)
        || !output.isFile()
        || !session.oram().scanPays(bytes)) {
      return false;
    }
    output.writeFile(
        file -> new ScannedFile(session, file, bytes, total -> progress("scan", total)).fill());
    return true;
  }

  private void readAll(OpenData session, long bytes, WritableByteChannel channel)
      throws IOException {
    try (Progress progress = progress("export", bytes)) {
      new StoreCopy(session).read(0, bytes, channel, progress);
    }
  }

  private Progress progress(String task, long bytes) {
    return Progress.start(task, Progress.BYTES, bytes, roram.environment(), roram.quiet());
  }
}
