package io.github.roram.cli;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.proxy.client.ProxyAddress;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A command that accesses the blocks of a store: reading, too, moves them. */
abstract class AccessCommand extends StoreCommand {

  @Option(
      names = "--durability",
      paramLabel = "MODE",
      description =
          "What finished accesses survive: sync (power failures; the default), flush (the death of"
              + " this process, and power failures but for the last accesses: a command flushes when"
              + " it ends), os (the death of this process; after a power failure the store may be"
              + " unusable, and may see which accesses before and after it were of one range: use"
              + " flush against that) or none (nothing; the default and only mode of scheme path).")
  @Nullable Durability durability;

  @Option(
      names = "--record",
      paramLabel = "FILE",
      description =
          "Write what the store and the disk of the client's records see of this command: places,"
              + " lengths and order, no data. For roram audit --view FILE.")
  @Nullable Path recordFile;

  /** Opens the store and the ORAM in it, or connects to a proxy; the caller closes it. */
  final OpenData openData() throws IOException {
    if (!ProxyAddress.isProxy(storeUri)) {
      return open();
    }
    if (keys.choice().given()
        || durability != null
        || rollbackGuard != null
        || recordFile != null) {
      throw new UsageException(
          "the proxy has the key and its own durability, guard and view: leave out --key-file and"
              + " the like, --durability, --rollback-guard and --record");
    }
    return ProxySession.open(ProxyAddress.parse(storeUri), storeArguments(), roram.environment());
  }

  @Override
  final @Nullable Path record() {
    return recordFile;
  }

  @Override
  final OpenOptions openOptions(OpenOptions defaults) throws IOException {
    OpenOptions options = super.openOptions(defaults);
    return durability == null ? options : options.withDurability(durability);
  }
}
