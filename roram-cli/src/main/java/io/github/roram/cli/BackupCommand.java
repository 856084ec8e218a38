package io.github.roram.cli;

import io.github.roram.client.Backup;
import io.github.roram.json.JsonFile;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code roram backup}: a point of a store, and of its client's half, in a directory. */
@Command(
    name = "backup",
    header = "Copy what changed of a store, and the client's records, to a directory.",
    description = {
      "",
      "The directory then has one more point to which roram restore can go back, with what"
          + " unlocks the store and nothing else. Everything in it is sealed. Points share what did"
          + " not change in between. A backup that was broken off is gone on with.",
      "",
      "For a store that nobody has open; one that a proxy shares is backed up by the proxy"
          + " itself (roram proxy --backup). Stores of the schemes path, tao and detwo are cloned"
          + " instead.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {"  roram backup file:/data/vault --to /backup/vault --keep 7 --key-file my.key"})
final class BackupCommand extends StoreCommand {

  static final int KEEP = 7;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "DIR",
      description = "The directory, of this store's backups alone.")
  Path target;

  @Option(
      names = "--keep",
      paramLabel = "N",
      description = "Points to keep, this one included (default: 7); older ones are deleted.")
  int keep = KEEP;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the cost as JSON.")
  @Nullable Path json;

  @Override
  public Integer call() throws IOException {
    long start = System.nanoTime();
    Backup.Taken taken;
    try (StopSignal stop = StopSignal.install();
        Progress bar =
            Progress.start("backup", Progress.BYTES, -1, roram.environment(), roram.quiet())) {
      taken =
          store()
              .backUp(
                  Backup.in(target),
                  keep,
                  bytes -> {
                    stop.check();
                    bar.step(bytes);
                  });
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    roram.note(
        "Point "
            + taken.number()
            + " of "
            + storeUri
            + " is in "
            + target
            + ": "
            + ByteSizeConverter.format(taken.copiedBytes())
            + " had changed.");
    if (json != null) {
      JsonFile.write(
          JsonFile.of("backup", 1)
              .put("store", storeUri)
              .put("point", taken.number())
              .put("copiedBytes", taken.copiedBytes())
              .put("seconds", seconds),
          json);
    }
    return ExitCodes.OK;
  }
}
