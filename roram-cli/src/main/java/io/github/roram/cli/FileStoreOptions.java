package io.github.roram.cli;

import io.github.roram.storage.StoreOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How the files of a store on this machine are accessed. */
final class FileStoreOptions {

  @Option(names = "--direct-io", description = "Bypass the operating system's page cache.")
  boolean directIo;

  @Option(
      names = "--read-depth",
      paramLabel = "N",
      description =
          "file: how many reads of a request are made at the same time when they wait for the"
              + " disk, 1 to 64 (default: 8).")
  @Nullable Integer readDepth;

  /** The options with what the command line says. */
  StoreOptions applyTo(StoreOptions options) {
    StoreOptions result = options.withDirectIo(directIo);
    if (readDepth == null) {
      return result;
    }
    if (readDepth < 1 || readDepth > StoreOptions.MAX_READ_DEPTH) {
      throw new UsageException(
          "--read-depth is " + readDepth + ", must be from 1 to " + StoreOptions.MAX_READ_DEPTH);
    }
    return result.withReadDepth(readDepth);
  }
}
