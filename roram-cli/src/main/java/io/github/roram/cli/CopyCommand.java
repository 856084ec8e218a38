package io.github.roram.cli;

import io.github.roram.cli.HelpSection.In;
import io.github.roram.client.Roram;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A command that puts what is on a store into a new one: a pass over each. */
abstract class CopyCommand extends StoreCommand {

  @Option(
      names = "--to",
      required = true,
      paramLabel = "TARGET",
      description = "Where to put the new store, as in file:DIR.")
  String target;

  @Option(
      names = "--scratch",
      paramLabel = "DIR",
      description =
          "Directory for a nameless, enciphered file as large as the data, if that does not fit in"
              + " memory, on this machine's own disk, hidden from anyone who sees either store"
              + " (default: Java's directory for temporary files).")
  Path scratch = Path.of(System.getProperty("java.io.tmpdir"));

  @In(HelpSection.WHERE)
  @Option(
      names = "--to-settings",
      paramLabel = "FILE",
      description = "Options of TARGET in a file, as --store-settings has those of STORE.")
  @Nullable Path settings;

  /** Returns the place of the new store. */
  Roram copy() throws IOException {
    Environment environment = roram.environment();
    StoreOptions options = StoreArguments.options(target, settings, environment);
    if (!Stores.traits(target, options).lasting()) {
      throw new UsageException(target + " would end with the command; name another target");
    }
    return Roram.at(target)
        .store(options)
        .key(keys.key(storeUri, environment))
        .options(opening.options());
  }

  /** Shows both passes, and ends them when the process is to end. */
  final class TwoBars implements Roram.CloneProgress, AutoCloseable {
    private final StopSignal stop = StopSignal.install();
    private final Progress.Stages bars = roram.stages();

    @Override
    public void advancedTo(boolean loading, long doneBytes, long totalBytes) {
      stop.check();
      bars.advancedTo(loading ? "bulk load" : "scan", doneBytes, totalBytes);
    }

    @Override
    public void close() {
      bars.close();
      stop.close();
    }
  }
}
