package io.github.roram.cli;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.cli.HelpSection.In;
import io.github.roram.proxy.client.ProxyAddress;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A command that accesses the blocks of a store: reading, too, moves them. */
abstract class AccessCommand extends StoreCommand {

  @In(HelpSection.MORE)
  @Option(
      names = "--durability",
      paramLabel = "MODE",
      description =
          "What completed accesses survive: sync (power failures; the default), flush (a crash"
              + " of this process; power failures except for the last accesses: the command flushes"
              + " when it ends), os (a crash of this process; a power failure may leave the store"
              + " unusable, and may show it which accesses before and after were of one range: flush"
              + " avoids that) or none (nothing; the only mode of scheme path).")
  @Nullable Durability durability;

  @In(HelpSection.MORE)
  @Option(
      names = "--record",
      paramLabel = "FILE",
      description =
          "Write what the store and the disk with the client's records see of this command:"
              + " places, lengths and order, no data. For roram audit --view FILE.")
  @Nullable Path recordFile;

  /** Opens the store and the ORAM in it, or connects to a proxy; the caller closes it. */
  final OpenData openData() throws IOException {
    if (!ProxyAddress.isProxy(storeUri)) {
      return open();
    }
    if (keys.choice().given() || durability != null || recordFile != null || opening.given()) {
      throw new UsageException(
          "the proxy has the key and its own durability, guard, view and tuning: leave out"
              + " --key-file and the like, --durability, --rollback-guard, --record, --adversary,"
              + " --form, --map-directory and --set");
    }
    return ProxySession.open(ProxyAddress.parse(storeUri), store, roram.environment());
  }

  @Override
  final @Nullable Path record() {
    return recordFile;
  }

  @Override
  final OpenOptions openOptions() throws IOException {
    OpenOptions options = super.openOptions();
    return durability == null ? options : options.withDurability(durability);
  }
}
