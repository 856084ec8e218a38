package io.github.roram.cli;

import io.github.roram.cli.HelpSection.In;
import io.github.roram.client.Backup;
import io.github.roram.json.JsonFile;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code roram backup}: a point of a store, and of its client's half, somewhere else. */
@Command(
    name = "backup",
    header = "Copy what changed of a store, and the client's records, to another place.",
    description = {
      "",
      "TARGET then has one more point to which roram restore can go back, with what"
          + " unlocks the store and nothing else. Everything in it is sealed. Points share what did"
          + " not change in between. A backup that was broken off is gone on with.",
      "",
      "For a store that nobody has open; one that a proxy shares is backed up by the proxy"
          + " itself (roram proxy --backup). Stores of the schemes path, tao and detwo are cloned"
          + " instead.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  roram backup file:/data/vault --to /backup/vault --keep 7 --key-file my.key",
      "  roram backup file:/data/vault --to s3:my-bucket/backup --key-file my.key",
      "  roram backup file:/data/vault --to tls://blocks.example.org:7420/backup \\",
      "    --to-settings tls.toml --key-file my.key"
    })
final class BackupCommand extends StoreCommand {

  static final int KEEP = 7;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "TARGET",
      description =
          "Where to, for this store's backups alone: a directory, an engine of objects as"
              + " s3:BUCKET/PREFIX or objects:DIR, or a volume of a block server, which is made.")
  String target;

  @In(HelpSection.WHERE)
  @Option(
      names = "--to-settings",
      paramLabel = "FILE",
      description = "Options of TARGET in a file, as --store-settings has those of STORE.")
  @Nullable Path settings;

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
    try (Backup backup = StoreArguments.backup(target, settings, roram.environment());
        StopSignal stop = StopSignal.install();
        Progress bar = roram.progress("backup", -1)) {
      taken =
          store()
              .backUp(
                  backup,
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
