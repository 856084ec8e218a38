package io.github.roram.cli;

import io.github.roram.proxy.client.ProxyAddress;
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
    if (ProxyAddress.isProxy(storeUri)) {
      return exportFromProxy();
    }
    try (StoreSession session = open()) {
      long bytes = length != null ? length : session.oram().config().bytes();
      checkWithin(session, 0, bytes);
      IoCounts before = session.counts();
      long start = System.nanoTime();
      boolean scan = output.isFile() && session.oram().scanPays(bytes);
      if (scan) {
        output.writeFile(
            file -> new ScannedFile(session, file, bytes, total -> progress("scan", total)).fill());
      } else {
        output.write(roram.environment(), channel -> readAll(session, bytes, channel));
      }
      TransferReport report =
          TransferReport.of(
              "export",
              session.uri(),
              scan ? "scan" : "accesses",
              bytes,
              System.nanoTime() - start,
              session.counts().minus(before));
      roram.note("Exported by " + (scan ? "one scan: " : "ordinary accesses: ") + report.summary());
      if (json != null) {
        report.write(json);
      }
    }
    return ExitCodes.OK;
  }

  private int exportFromProxy() throws IOException {
    try (OpenData proxy = openData()) {
      long bytes = length != null ? length : proxy.config().bytes();
      checkWithin(proxy, 0, bytes);
      long start = System.nanoTime();
      output.write(roram.environment(), channel -> readAll(proxy, bytes, channel));
      TransferReport report =
          TransferReport.of(
              "export", proxy.uri(), "accesses", bytes, System.nanoTime() - start, IoCounts.ZERO);
      roram.note("Exported by ordinary accesses: " + report.summary());
      if (json != null) {
        report.write(json);
      }
    }
    return ExitCodes.OK;
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
