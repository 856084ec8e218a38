package io.github.roram.cli;

import io.github.roram.OpenOptions;
import io.github.roram.cli.HelpSection.In;
import io.github.roram.client.Roram;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code roram clone}: a store's data in a new one, under fresh labels and another master key. */
@Command(
    name = "clone",
    header = "Copy a store's data into a new store, of this or another size.",
    description = {
      "",
      "One scan of the store, which it leaves as it is, and one bulk load of the new one:"
          + " fresh labels, a new master key, locked with what unlocks this one (roram passwd"
          + " changes that). Unlike a copy of files, a clone may be used next to its original, and"
          + " nobody can link the two.",
      "",
      "With --blocks the new store is larger or smaller; it must hold all that is not zero."
          + " A clone that was killed leaves an empty store: delete it, and clone again.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  roram clone file:/data/vault --to file:/data/larger --blocks 2^20 \\",
      "    --key-file my.key --scratch /var/tmp",
      "  roram clone file:/data/vault --to tls://blocks.example.org:7420/vault \\",
      "    --to-settings tls.toml --key-file my.key --scratch /var/tmp"
    })
final class CloneCommand extends StoreCommand {

  @Option(
      names = "--to",
      required = true,
      paramLabel = "TARGET",
      description = "Where to put the new store, as in file:DIR.")
  String target;

  @Option(
      names = "--blocks",
      paramLabel = "N",
      description = "Number of blocks of the new store (default: as many as this one has).")
  @Nullable Long blocks;

  @Option(
      names = "--scratch",
      paramLabel = "DIR",
      description =
          "Directory for a nameless, enciphered file as large as the data, on this machine's own"
              + " disk, hidden from anyone who sees either store (default: Java's directory for"
              + " temporary files).")
  Path scratch = Path.of(System.getProperty("java.io.tmpdir"));

  @In(HelpSection.WHERE)
  @Option(
      names = "--to-settings",
      paramLabel = "FILE",
      description = "Options of TARGET in a file, as --store-settings has those of STORE.")
  @Nullable Path settings;

  @Override
  public Integer call() throws IOException {
    Environment environment = roram.environment();
    StoreOptions options = StoreArguments.options(target, settings, environment);
    Roram copy =
        Roram.at(target)
            .store(options)
            .key(keys.key(storeUri, environment))
            .options(opening.over(OpenOptions.defaults()));
    if (!Stores.traits(target, options).lasting()) {
      throw new UsageException(target + " would end with the command; name another target");
    }
    Roram own = store();
    long count = blocks != null ? blocks : own.info().config().blocks();
    try (TwoBars bars = new TwoBars()) {
      own.cloneTo(copy, count, scratch, bars);
    }
    roram.note(target + " has the data of " + storeUri + ", in " + count + " blocks.");
    return ExitCodes.OK;
  }

  /** A bar for each pass. */
  private final class TwoBars implements Roram.CloneProgress, AutoCloseable {
    private final StopSignal stop = StopSignal.install();
    private Progress bar = Progress.SILENT;
    private boolean second;
    private long done;

    @Override
    public void advancedTo(boolean loading, long doneBytes, long totalBytes) {
      stop.check();
      if (done == 0 || loading != second) {
        bar.close();
        done = 0;
        second = loading;
        bar =
            Progress.start(
                loading ? "bulk load" : "scan",
                Progress.BYTES,
                totalBytes,
                roram.environment(),
                roram.quiet());
      }
      bar.step(doneBytes - done);
      done = doneBytes;
    }

    @Override
    public void close() {
      bar.close();
      stop.close();
    }
  }
}
