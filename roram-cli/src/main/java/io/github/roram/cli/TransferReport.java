package io.github.roram.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.roram.json.JsonFile;
import io.github.roram.storage.device.IoCounts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * What a long transfer cost, for {@code --json}.
 *
 * @param command the command
 * @param store the store's URI
 * @param method bulk-load, scan or accesses
 * @param bytes bytes of data moved
 * @param nanos wall time, opening and closing the store not included
 * @param io what the store was asked for
 */
record TransferReport(
    String command, String store, String method, long bytes, long nanos, IoCounts io) {

  private double seconds() {
    return nanos / 1e9;
  }

  /** Returns a line for people to read. */
  String summary() {
    String moved =
        String.format(
            Locale.ROOT,
            "%s in %.1f s (%.0f MiB/s)",
            ByteSizeConverter.format(bytes),
            seconds(),
            bytes / seconds() / (1 << 20));
    if (io.requests() == 0) {
      // What a proxy asks of its store is not known here.
      return moved + ".";
    }
    return String.format(
        Locale.ROOT,
        "%s; the store was read %s and written %s in %d requests.",
        moved,
        ByteSizeConverter.format(io.bytesRead()),
        ByteSizeConverter.format(io.bytesWritten()),
        io.requests());
  }

  void write(Path json) throws IOException {
    ObjectNode root =
        JsonFile.of("transfer", 1)
            .put("command", command)
            .put("store", store)
            .put("method", method)
            .put("bytes", bytes)
            .put("seconds", seconds())
            .put("bytesPerSecond", bytes / seconds())
            .put("seeks", io.seeks())
            .put("requests", io.requests())
            .put("bytesRead", io.bytesRead())
            .put("bytesWritten", io.bytesWritten());
    JsonFile.write(root, json);
  }
}
