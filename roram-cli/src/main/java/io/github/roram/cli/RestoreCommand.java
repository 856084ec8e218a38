package io.github.roram.cli;

import io.github.roram.RecoveryReport;
import io.github.roram.cli.HelpSection.In;
import io.github.roram.client.Backup;
import io.github.roram.client.BackupPoint;
import io.github.roram.json.JsonFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

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
      "With --from-store the store stays as it is, and the client's records come from the copy"
          + " that it keeps: for a machine that was lost with its state directory. Nothing that was"
          + " acknowledged is lost. A copy that the store puts back from an earlier time is refused"
          + " as far as watermark and guard show it.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  roram restore tls://blocks.example.org:7420/v --from-store --key-file my.key",
      "  roram restore file:/data/vault --from /backup/vault --key-file my.key",
      "  roram restore file:/data/vault --from s3:my-bucket/vault-backup --list",
      "  roram restore file:/data/vault --from /backup/vault --point 12 --over \\",
      "    --key-file my.key"
    })
final class RestoreCommand extends StoreCommand {

  @Spec CommandSpec spec;

  @ArgGroup(multiplicity = "1")
  Source source = new Source();

  /** Where the lost half is. */
  static final class Source {
    @Option(
        names = "--from",
        required = true,
        paramLabel = "TARGET",
        description = "Where roram backup put it.")
    @Nullable String backup;

    @Option(
        names = "--from-store",
        required = true,
        description =
            "Put back the client's records alone, from the copy that the store keeps of them"
                + " (--client-copy all).")
    boolean store;
  }

  @In(HelpSection.WHERE)
  @Option(
      names = "--from-settings",
      paramLabel = "FILE",
      description = "Options of TARGET in a file, as --store-settings has those of STORE.")
  @Nullable Path settings;

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

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "With --from-store, write what was found as JSON.")
  @Nullable Path json;

  @Override
  public Integer call() throws IOException {
    if (source.backup == null) {
      return restoreClient();
    }
    refuseIdle();
    try (Backup backup = StoreArguments.backup(source.backup, settings, roram.environment())) {
      if (list) {
        Collection<BackupPoint> points = backup.points().values();
        if (points.isEmpty()) {
          roram.note("There is no backup in " + source.backup + ".");
        }
        for (BackupPoint each : points) {
          roram.answer(each.number() + "  " + each.time() + "  " + each.uri());
        }
      } else {
        use(backup);
      }
    }
    return ExitCodes.OK;
  }

  private void refuseIdle() {
    IdleOptions.refuse(
        spec, Set.of("--json"), "writes what --from-store found: leave it out with --from");
    if (list) {
      IdleOptions.refuse(
          spec,
          Set.of("--point", "--over", "--verify"),
          "is of no use with --list, which only shows all points: leave one out");
    }
    if (verify) {
      IdleOptions.refuse(
          spec,
          Set.of("--over"),
          "is for restoring, and --verify only checks the point: leave one out");
    }
  }

  private void use(Backup backup) throws IOException {
    try (StopSignal stop = StopSignal.install();
        Progress bar = roram.progress(verify ? "check" : "restore", -1)) {
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
  }

  private Integer restoreClient() throws IOException {
    IdleOptions.refuse(
        spec,
        Set.of("--over", "--verify", "--list", "--point", "--from-settings"),
        "is for a backup, and --from-store takes the copy, of one moment, the last: leave one out");
    RecoveryReport found = store().restoreClient();
    if (json != null) {
      JsonFile.write(
          JsonFile.of("restore", 1)
              .put("store", storeUri)
              .put("accessesToRecover", found.accesses())
              .put("chunksToRecover", found.chunks()),
          json);
    }
    roram.note(
        "The client's records of "
            + storeUri
            + " are back, with all that was acknowledged; the next use recovers "
            + found.accesses()
            + " accesses from the journal. If the lost machine still runs, see that it does not"
            + " use the store: both would show the same paths.");
    return ExitCodes.OK;
  }
}
