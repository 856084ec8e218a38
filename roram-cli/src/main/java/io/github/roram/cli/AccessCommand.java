package io.github.roram.cli;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A command that accesses the blocks of a store: reading, too, moves them. */
abstract class AccessCommand extends StoreCommand {

  @Option(
      names = "--durability",
      paramLabel = "MODE",
      description =
          "What finished accesses survive: sync (power failures; the default), os (the death of"
              + " this process; after a power failure the store may be unusable, and may see which"
              + " accesses before and after it were of one range) or none (nothing; the default and"
              + " only mode of scheme path).")
  @Nullable Durability durability;

  @Override
  final OpenOptions openOptions(OpenOptions defaults) throws IOException {
    OpenOptions options = super.openOptions(defaults);
    return durability == null ? options : options.withDurability(durability);
  }
}
