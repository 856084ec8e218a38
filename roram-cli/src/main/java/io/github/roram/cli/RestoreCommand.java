package io.github.roram.cli;

import io.github.roram.client.Backup;
import io.github.roram.client.BackupPoint;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code roram restore}: a point of a backup in the place of a store. */
@Command(
    name = "restore",
    header = "Put back a point of a backup, or check that it is whole.",
    description = {
      "",
      "Restores a store that is gone, with its client's records; the key or passphrase of"
          + " that time unlocks it. With --over it takes the place of the store that is there, and"
          + " all that was written since is undone: watermark and rollback guard then accept the"
          + " older records, which they otherwise refuse.",
      "",
      "Next to the store that was backed up it is refused, since both would show the same"
          + " paths: roram clone makes a copy of its own. A restore that was broken off is to be run"
          + " again; until then the store does not open.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  roram restore file:/data/vault --from /backup/vault --key-file my.key",
      "  roram restore file:/data/vault --from /backup/vault --list",
      "  roram restore file:/data/vault --from /backup/vault --point 12 --over \\",
      "    --key-file my.key"
    })
final class RestoreCommand extends StoreCommand {

  @Option(
      names = "--from",
      required = true,
      paramLabel = "DIR",
      description = "The directory that roram backup wrote.")
  Path source;

  @Option(
      names = "--point",
      paramLabel = "N",
      description = "Number of the point (default: the newest).")
  int point;

  @Option(names = "--over", description = "Undo what was written to the store since.")
  boolean over;

  @Option(names = "--verify", description = "Only check that all of the point is as it was made.")
  boolean verify;

  @Option(names = "--list", description = "Only show which points there are.")
  boolean list;

  @Override
  public Integer call() throws IOException {
    Backup backup = Backup.in(source);
    if (list) {
      for (BackupPoint each : backup.points().values()) {
        roram.environment().answer(each.number() + "  " + each.time() + "  " + each.uri());
      }
      return ExitCodes.OK;
    }
    try (StopSignal stop = StopSignal.install();
        Progress bar =
            Progress.start(
                verify ? "check" : "restore",
                Progress.BYTES,
                -1,
                roram.environment(),
                roram.quiet())) {
      Backup.Progress progress =
          bytes -> {
            stop.check();
            bar.step(bytes);
          };
      if (verify) {
        BackupPoint whole = backup.verify(point, keys.key(storeUri, roram.environment()), progress);
        roram.note("Point " + whole.number() + " of " + whole.time() + " is whole.");
      } else {
        BackupPoint restored = store().restore(backup, point, over, progress);
        roram.note(
            storeUri
                + " is as it was at "
                + restored.time()
                + " (point "
                + restored.number()
                + "); what was written since is undone.");
      }
    }
    return ExitCodes.OK;
  }
}
