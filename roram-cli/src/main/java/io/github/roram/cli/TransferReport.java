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
 * @param seconds wall time, opening and closing the store not included
 * @param bytesPerSecond bytes / seconds
 * @param seeks extents that did not start where the one before ended
 * @param requests vectored reads and writes of the store
 * @param bytesRead bytes that the store was asked for
 * @param bytesWritten bytes that the store was given
 */
record TransferReport(
    String command,
    String store,
    String method,
    long bytes,
    double seconds,
    double bytesPerSecond,
    long seeks,
    long requests,
    long bytesRead,
    long bytesWritten) {

  static TransferReport of(
      String command, String uri, String method, long bytes, long nanos, IoCounts io) {
    double seconds = nanos / 1e9;
    return new TransferReport(
        command,
        uri,
        method,
        bytes,
        seconds,
        bytes / seconds,
        io.seeks(),
        io.requests(),
        io.bytesRead(),
        io.bytesWritten());
  }

  /** One line for people. */
  String summary() {
    String moved =
        String.format(
            Locale.ROOT,
            "%s in %.1f s (%.0f MiB/s)",
            ByteSizeConverter.format(bytes),
            seconds,
            bytesPerSecond / (1 << 20));
    if (requests == 0) {
      // What a proxy asks of its store is not known here.
      return moved + ".";
    }
    return String.format(
        Locale.ROOT,
        "%s; the store was read %s and written %s in %d requests.",
        moved,
        ByteSizeConverter.format(bytesRead),
        ByteSizeConverter.format(bytesWritten),
        requests);
  }

  void write(Path json) throws IOException {
    ObjectNode root =
        JsonFile.of("transfer", 1)
            .put("command", command)
            .put("store", store)
            .put("method", method)
            .put("bytes", bytes)
            .put("seconds", seconds)
            .put("bytesPerSecond", bytesPerSecond)
            .put("seeks", seeks)
            .put("requests", requests)
            .put("bytesRead", bytesRead)
            .put("bytesWritten", bytesWritten);
    JsonFile.write(root, json);
  }
}
