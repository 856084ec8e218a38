package io.github.roram.cli;

import io.github.roram.cli.HelpSection.In;
import io.github.roram.open.Orams;
import io.github.roram.proxy.client.ProxyAddress;
import io.github.roram.storage.device.IoCounts;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code roram import}: a whole file to the start of a store, the fastest way there is. */
@Command(
    name = "import",
    header = "Fill a store from a file.",
    description = {
      "",
      "A store that was never accessed is bulk-loaded: one sequential pass over each of its"
          + " trees. Any other store is written with ordinary accesses, and blocks beyond the end"
          + " of the file keep their values. The command says which it did.",
      "",
      "Whatever is there is overwritten, a map (roram map) too: to look for one first would show"
          + " the store that this is an import.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  roram import file:/data/vault --in disk.img --key-file my.key",
      "  roram import file:/data/vault --in disk.img --key-file my.key --json i.json"
    })
final class ImportCommand extends AccessCommand {

  @Option(names = "--in", required = true, paramLabel = "FILE", description = "The file.")
  Path source;

  @In(HelpSection.MORE)
  @Option(
      names = "--memory",
      paramLabel = "BYTES",
      description =
          "How much of the file a bulk load may hold in memory (default: a quarter of Java's"
              + " heap). A longer file is read several times.")
  @Nullable Long memoryBytes;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the cost as JSON.")
  @Nullable Path json;

  @Override
  public Integer call() throws IOException {
    if (Files.exists(source) && !Files.isRegularFile(source)) {
      throw new UsageException(
          source + " is no regular file; for a pipe or standard input use: roram write --in -");
    }
    if (memoryBytes != null && ProxyAddress.isProxy(storeUri)) {
      throw new UsageException("--memory is for a bulk load, which no proxy makes: leave it out");
    }
    try (FileChannel channel = FileChannel.open(source);
        OpenData data = openData()) {
      checkWithin(data, 0, channel.size());
      IoCounts before = data.counts();
      long start = System.nanoTime();
      boolean bulk = data instanceof StoreSession session && bulkLoad(session, channel);
      if (!bulk) {
        writeAll(data, channel);
      }
      TransferReport report =
          new TransferReport(
              "import",
              data.uri(),
              bulk ? "bulk-load" : "accesses",
              channel.size(),
              System.nanoTime() - start,
              data.counts().minus(before));
      roram.note((bulk ? "Bulk-loaded " : "Wrote with ordinary accesses ") + report.summary());
      if (json != null) {
        report.write(json);
      }
    }
    return ExitCodes.OK;
  }

  /** Bulk-loads the store; returns false if it was accessed before, which rules that out. */
  private boolean bulkLoad(StoreSession session, FileChannel channel) throws IOException {
    long memory = memoryBytes != null ? memoryBytes : Runtime.getRuntime().maxMemory() / 4;
    long storeBytes = Orams.storeBytes(session.oram().config());
    try (Progress progress = roram.progress("bulk load", storeBytes)) {
      session
          .oram()
          .bulkLoad(
              channel,
              memory,
              bytes -> {
                session.checkNotStopping();
                progress.step(bytes);
              });
      return true;
    } catch (IllegalStateException accessedBefore) {
      return false;
    }
  }

  private void writeAll(OpenData session, FileChannel channel) throws IOException {
    try (Progress progress = roram.progress("import", channel.size())) {
      new StoreCopy(session).write(0, channel.position(0), progress);
    }
  }
}
