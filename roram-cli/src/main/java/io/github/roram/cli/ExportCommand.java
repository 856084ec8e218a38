package io.github.roram.cli;

import io.github.roram.BlockSink;
import io.github.roram.storage.device.IoCounts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
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
          new TransferReport(
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

  /** Exports by a scan; returns false if ordinary accesses must be made. */
  private boolean scanned(OpenData data, long bytes) throws IOException {
    if (!(data instanceof StoreSession session)
        || !output.isFile()
        || !session.oram().scanPays(bytes)) {
      return false;
    }
    output.writeFile(
        file -> {
          try (Progress.Stages progress = roram.stages()) {
            new ScannedFile(session, file, bytes, progress).fill();
          }
        });
    return true;
  }

  private void readAll(OpenData session, long bytes, WritableByteChannel channel)
      throws IOException {
    try (Progress progress = roram.progress("export", bytes)) {
      new StoreCopy(session).read(0, bytes, channel, progress);
    }
  }

  /**
   * A new file into which a scan puts the first bytes of a store, each block where it belongs. What
   * is never put there stays a hole, and reads as zeros.
   *
   * @param file is empty yet
   * @param bytes how many bytes of the store it gets
   */
  private record ScannedFile(
      StoreSession session, FileChannel file, long bytes, Progress.Stages progress)
      implements BlockSink {

    void fill() throws IOException {
      session.oram().scan(this);
      if (file.size() < bytes) {
        put(ByteBuffer.allocate(1), bytes - 1);
      }
    }

    @Override
    public void accept(long block, ByteBuffer data) throws IOException {
      session.checkNotStopping();
      int blockBytes = session.config().blockBytes();
      long offset = block * blockBytes;
      if (offset < bytes) {
        data.limit((int) Math.min(blockBytes, bytes - offset));
        put(data, offset);
      }
    }

    private void put(ByteBuffer data, long offset) throws IOException {
      long position = offset;
      while (data.hasRemaining()) {
        position += file.write(data, position);
      }
    }

    @Override
    public void advancedTo(long doneBytes, long totalBytes) {
      session.checkNotStopping();
      progress.advancedTo("scan", doneBytes, totalBytes);
    }
  }
}
