package io.github.roram.cli;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.cli.HelpSection.In;
import io.github.roram.netserver.access.AccessRules;
import io.github.roram.netserver.access.AccessRules.VolumeRule;
import io.github.roram.netserver.config.HostPort;
import io.github.roram.netserver.config.ServerSettings.MetricsSettings;
import io.github.roram.storage.tls.TlsFiles;
import io.github.roram.store.OnFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a store is shared with clients, from its opening to the orderly end. */
final class SharingOptions {

  private static final long BACKUP_SECONDS = 3600;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description =
          "Address for clients: on loopback, or with --certs. With port 0 the system picks a"
              + " port.")
  @Nullable String listen;

  @Option(
      names = "--certs",
      paramLabel = "DIR",
      description =
          "Directory made by roram server init-certs. Clients show a certificate of its authority,"
              + " or a token.")
  @Nullable Path certificates;

  @Option(
      names = "--tokens",
      paramLabel = "FILE",
      description = "Accepted tokens, by roram server add-token.")
  @Nullable Path tokens;

  @In(HelpSection.MORE)
  @Option(
      names = "--allow",
      paramLabel = "NAME",
      split = ",",
      description = "Who may use the store (default: all who prove who they are).")
  @Nullable List<String> allowed;

  @In(HelpSection.MORE)
  @Option(
      names = "--metrics",
      paramLabel = "HOST:PORT",
      description =
          "Address of health checks and metrics, over HTTP (default: none). Off loopback it"
              + " needs --metrics-readers.")
  @Nullable String metrics;

  @In(HelpSection.MORE)
  @Option(
      names = "--metrics-readers",
      paramLabel = "NAME",
      split = ",",
      description =
          "Serve metrics over HTTPS, only to these names, who show a certificate or a token"
              + " (Authorization: Bearer TOKEN).")
  @Nullable Set<String> metricsReaders;

  @Option(
      names = "--anyone-on-this-machine",
      description = "On loopback, without --certs and --tokens: let every local user in.")
  boolean anyone;

  @In(HelpSection.MORE)
  @Option(
      names = "--rate",
      paramLabel = "N",
      description =
          "Make N accesses per second at fixed times, whether or not a client asks for one;"
              + " needs --class. Accesses that could not be made on time are counted and not made up"
              + " for.")
  @Nullable Double rate;

  @In(HelpSection.MORE)
  @Option(
      names = "--class",
      paramLabel = "I",
      description =
          "With --rate: the size of every access, 2^I blocks; longer requests are refused.")
  @Nullable Integer sizeClass;

  @In(HelpSection.MORE)
  @Option(
      names = "--durability",
      paramLabel = "MODE",
      description =
          "What answered requests survive: sync (power failures; the default), flush (power"
              + " failures, if they were flushed), os or none (the only mode of scheme path).")
  @Nullable Durability durability;

  @In(HelpSection.MORE)
  @Option(
      names = "--backup",
      paramLabel = "TARGET",
      description =
          "Back the store up while it is used, as roram backup --to TARGET does: at once, and then"
              + " at intervals.")
  @Nullable String backup;

  @In(HelpSection.MORE)
  @Option(
      names = "--backup-settings",
      paramLabel = "FILE",
      description = "With --backup: options of TARGET, as --store-settings has those of STORE.")
  @Nullable Path backupSettings;

  @In(HelpSection.MORE)
  @Option(
      names = "--backup-every",
      paramLabel = "SECONDS",
      description = "With --backup: how long to wait after one (default: 3600).")
  @Nullable Long backupSeconds;

  @In(HelpSection.MORE)
  @Option(
      names = "--backup-keep",
      paramLabel = "N",
      description = "With --backup: points to keep (default: 7).")
  @Nullable Integer backupKeep;

  @In(HelpSection.MORE)
  @Option(
      names = "--blocks-file",
      paramLabel = "FILE",
      description =
          "File with a number of blocks, looked at every two seconds: when it names more than the"
              + " store has, the store grows while it is used, as by roram grow.")
  @Nullable Path blocksFile;

  @Mixin InFlightOption inFlight;

  /** Returns how to use the ORAM. */
  OpenOptions in(OpenOptions defaults) {
    OpenOptions options = inFlight.in(defaults);
    if (rate != null) {
      // One access at each time: they do not meet.
      options = options.withInFlight(1);
    }
    return durability == null ? options : options.withDurability(durability);
  }

  /**
   * Shares the store of a command until it is stopped.
   *
   * @param front serves it
   */
  void serve(StoreCommand command, ProxyService.Front front) throws IOException {
    if ((rate == null) != (sizeClass == null)) {
      throw new UsageException("--rate and --class belong together: give both or neither");
    }
    if (rate != null && !(rate > 0)) {
      // 0 would not be a rate, but none.
      throw new UsageException("--rate is " + rate + ", must be above 0; leave it out for no rate");
    }
    RoramCommand roram = command.roram;
    ProxyService.Settings settings = settings(roram.environment());
    ErrorLog.ofService(roram.quiet());
    StoreSession session = command.open();
    int accesses =
        OnFailure.close(
            session,
            () -> {
              checkRate(session.config(), command.openOptions());
              return rate == null ? inFlight.checked() : 1;
            });
    MemoryText.overlapping(session.config(), accesses, session.keepsObjects())
        .ifPresent(roram::note);
    ProxyService service = new ProxyService(settings, session, front);
    ServiceLife.endWithProcess("roram-proxy-end", () -> end(service));
    roram.answer("Listening at " + service.uri());
    service.metricsUri().ifPresent(uri -> roram.answer("Metrics at " + uri));
    service.awaitClosed();
  }

  private ProxyService.Settings settings(Environment environment) throws IOException {
    if (listen == null) {
      throw new UsageException("say where clients connect: --listen HOST:PORT");
    }
    Set<String> names = allowed == null ? Set.of(VolumeRule.ALL) : Set.copyOf(allowed);
    VolumeRule rule = new VolumeRule(VolumeRule.ALL, names, VolumeRule.NO_QUOTA);
    HostPort address = HostPort.parse(listen);
    boolean proved = certificates != null || tokens != null;
    if (certificates == null && !address.isLoopback()) {
      throw new UsageException(
          "would serve the data in the clear at "
              + address
              + "; give --certs DIR (roram server init-certs makes it), or listen at 127.0.0.1");
    }
    if (proved == anyone) {
      throw new UsageException(
          anyone
              ? "--anyone-on-this-machine lets in who shows nothing: leave it out, or --certs and"
                  + " --tokens"
              : "would give the data to every user of this machine at "
                  + address
                  + "; give --tokens FILE (roram server add-token makes it) or --certs DIR, or say"
                  + " --anyone-on-this-machine");
    }
    return new ProxyService.Settings(
        address,
        certificates == null ? null : TlsFiles.inDirectory(certificates, "server"),
        tokens,
        anyone,
        new AccessRules(List.of(rule)),
        metrics(),
        rate == null ? 0 : rate,
        sizeClass == null ? 0 : sizeClass,
        durability == null || durability == Durability.SYNC,
        backups(environment),
        blocksFile);
  }

  private BackupSchedule.@Nullable Settings backups(Environment environment) throws IOException {
    if (backup == null) {
      if (backupSeconds != null || backupKeep != null || backupSettings != null) {
        throw new UsageException(
            "--backup-every, --backup-keep and --backup-settings say how to back up: add --backup"
                + " TARGET, or leave them out");
      }
      return null;
    }
    long seconds = Objects.requireNonNullElse(backupSeconds, BACKUP_SECONDS);
    int keep = Objects.requireNonNullElse(backupKeep, BackupCommand.KEEP);
    if (seconds < 1 || keep < 1) {
      throw new UsageException(
          "--backup-every is "
              + seconds
              + " and --backup-keep "
              + keep
              + ", both must be at least 1");
    }
    return new BackupSchedule.Settings(
        StoreArguments.backup(backup, backupSettings, environment), seconds, keep);
  }

  private @Nullable MetricsSettings metrics() {
    Set<String> readers = metricsReaders == null ? Set.of() : Set.copyOf(metricsReaders);
    if (metrics == null) {
      if (!readers.isEmpty()) {
        throw new UsageException(
            "--metrics-readers have nowhere to read; give --metrics HOST:PORT");
      }
      return null;
    }
    MetricsSettings settings = new MetricsSettings(HostPort.parse(metrics), readers);
    settings.checkExposure(certificates != null);
    return settings;
  }

  /**
   * Checks that a flush is no more than a sync, because at a constant rate each access is followed
   * by one.
   */
  private void checkRate(OramConfig config, OpenOptions options) {
    Durability used = options.durabilityOf(Scheme.of(config.scheme()));
    if (rate != null && used != Durability.SYNC && used != Durability.FLUSH) {
      throw new UsageException(
          "with durability "
              + used
              + " each flush is a checkpoint, and each access has its flush; use --durability sync or"
              + " flush, and a scheme that has them");
    }
  }

  /** Runs when the process is asked to end, or has nothing to do any more. */
  private static int end(ProxyService service) {
    boolean complete = service.end();
    return service.wasReplaced() ? ExitCodes.BUSY : ExitCodes.ofService(complete);
  }
}
