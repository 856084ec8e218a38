package io.github.roram.netserver.config;

import io.github.roram.ConfigurationException;
import io.github.roram.intake.HandshakeLimits;
import io.github.roram.netserver.ServerLimits;
import io.github.roram.netserver.ServerLimits.ReadLimits;
import io.github.roram.netserver.ServerLimits.VolumeLimits;
import io.github.roram.netserver.ServerTimeouts;
import io.github.roram.netserver.access.AccessRules;
import io.github.roram.netserver.access.AccessRules.VolumeRule;
import io.github.roram.netserver.config.ServerSettings.LogSettings;
import io.github.roram.netserver.config.ServerSettings.MetricsSettings;
import io.github.roram.storage.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the server's settings from a TOML file, as {@code docs/operations.md} describes them. Every
 * error names file, line, key, value, and the remedy; an unknown key is an error.
 */
public final class SettingsFile {

  private static final int MAX_CONNECTIONS = 100_000;
  private static final long MAX_BYTES = 1L << 40;
  private static final int MIN_FRAME_BYTES = 4096;
  private static final int MAX_FRAME_BYTES = 64 << 20;
  private static final int MAX_EXTENTS = 1 << 20;
  private static final int MAX_REQUESTS = 1 << 16;
  private static final long MIN_MEMORY_BYTES = 1 << 20;
  private static final int MAX_VOLUMES = 1_000_000;
  private static final int MAX_SECONDS = 86_400;

  private SettingsFile() {}

  /**
   * Reads and checks the settings; opens no file that they name.
   *
   * @throws ConfigurationException if something is wrong with the settings
   * @throws NoSuchFileException if there is no such file
   */
  public static ServerSettings read(Path file) throws IOException {
    SettingsTable root = SettingsTable.read(file);
    ServerSettings settings = settings(root);
    root.refuseUnknownKeys();
    return settings;
  }

  private static ServerSettings settings(SettingsTable root) {
    HostPort listen =
        root.parsed("listen", HostPort::parse)
            .orElseThrow(() -> root.error("listen", "is missing; say listen = \"127.0.0.1:7420\""));
    Path directory =
        root.path("directory")
            .orElseThrow(
                () -> root.error("directory", "is missing; say directory = \"/var/lib/roram\""));
    Optional<SettingsTable> tlsTable = root.table("tls");
    @Nullable TlsFiles tls = tlsTable.map(SettingsFile::tls).orElse(null);
    @Nullable Path tokens = root.path("tokens").orElse(null);
    boolean anonymous = root.flag("anonymous", false);
    ServerLimits limits =
        root.table("limits").map(SettingsFile::limits).orElse(ServerLimits.defaults());
    AccessRules access = access(root, limits.volumes());
    ServerTimeouts timeouts =
        root.table("timeouts").map(SettingsFile::timeouts).orElse(ServerTimeouts.defaults());
    @Nullable MetricsSettings metrics = metrics(root, tls != null).orElse(null);
    LogSettings log = root.table("log").map(SettingsFile::log).orElse(LogSettings.DEFAULTS);
    return root.located(
        "listen",
        () ->
            new ServerSettings(
                listen, directory, tls, tokens, anonymous, access, limits, timeouts, metrics, log));
  }

  private static Optional<MetricsSettings> metrics(SettingsTable root, boolean tls) {
    Set<String> readers = Set.copyOf(root.strings("metrics-readers"));
    Optional<HostPort> listen = root.parsed("metrics", HostPort::parse);
    if (listen.isEmpty() && !readers.isEmpty()) {
      throw root.error("metrics-readers", "have nowhere to read; say metrics = \"HOST:PORT\"");
    }
    return listen.map(
        address ->
            root.located(
                "metrics",
                () -> {
                  MetricsSettings metrics = new MetricsSettings(address, readers);
                  metrics.checkExposure(tls);
                  return metrics;
                }));
  }

  private static TlsFiles tls(SettingsTable table) {
    TlsFiles files =
        new TlsFiles(required(table, "ca"), required(table, "certificate"), required(table, "key"));
    table.refuseUnknownKeys();
    return files;
  }

  private static Path required(SettingsTable table, String key) {
    return table.path(key).orElseThrow(() -> table.error(key, "is missing; name a PEM file"));
  }

  private static AccessRules access(SettingsTable root, VolumeLimits limits) {
    SettingsTable volumes =
        root.table("volumes")
            .orElseThrow(
                () ->
                    root.error(
                        "volumes",
                        "are missing, so that nobody may use any; say [volumes.NAME] and"
                            + " identities = [\"CLIENT\"]"));
    List<VolumeRule> rules = new ArrayList<>();
    for (String pattern : volumes.keys()) {
      SettingsTable rule = volumes.table(pattern).orElseThrow();
      Set<String> identities = Set.copyOf(rule.strings("identities"));
      if (identities.isEmpty()) {
        throw volumes.error(
            pattern, "has no identities, so that nobody may use it; say identities = [\"CLIENT\"]");
      }
      long quota = rule.bytes("quota", 1, Long.MAX_VALUE, VolumeRule.NO_QUOTA);
      if (quota != VolumeRule.NO_QUOTA && quota > limits.identityBytes()) {
        throw rule.error(
            "quota",
            "is "
                + quota
                + " bytes, and all volumes of an identity may have "
                + limits.identityBytes()
                + "; raise identity in [limits], or lower the quota");
      }
      rules.add(volumes.located(pattern, () -> new VolumeRule(pattern, identities, quota)));
      rule.refuseUnknownKeys();
    }
    return new AccessRules(rules);
  }

  private static ServerLimits limits(SettingsTable table) {
    ServerLimits base = ServerLimits.defaults();
    ServerLimits limits =
        new ServerLimits(
            table.number("connections", 1, MAX_CONNECTIONS, base.maxConnections()),
            (int) table.bytes("frame", MIN_FRAME_BYTES, MAX_FRAME_BYTES, base.maxPayloadBytes()),
            table.bytes("request", MIN_FRAME_BYTES, MAX_BYTES, base.maxRequestBytes()),
            table.number("extents", 1, MAX_EXTENTS, base.maxExtents()),
            table.number("requests", 1, MAX_REQUESTS, base.maxRequests()),
            table.bytes(
                "connection-memory", MIN_FRAME_BYTES, MAX_BYTES, base.connectionBufferBytes()),
            table.bytes("memory", MIN_MEMORY_BYTES, MAX_BYTES, base.totalBufferBytes()),
            reads(table, base.reads()),
            handshakes(table, base.handshakes()),
            volumes(table, base.volumes()));
    table.refuseUnknownKeys();
    return limits;
  }

  private static ReadLimits reads(SettingsTable table, ReadLimits base) {
    return new ReadLimits(
        table.number("reads", 1, MAX_REQUESTS - 1, base.atATime()),
        table.bytes("cache", 0, MAX_BYTES, base.cacheBytes()));
  }

  private static HandshakeLimits handshakes(SettingsTable table, HandshakeLimits base) {
    return new HandshakeLimits(
        table.number("handshakes", 1, MAX_CONNECTIONS, base.total()),
        table.number("address-handshakes", 1, MAX_CONNECTIONS, base.perAddress()));
  }

  private static VolumeLimits volumes(SettingsTable table, VolumeLimits base) {
    return new VolumeLimits(
        table.bytes("volume", 1, Long.MAX_VALUE, base.volumeBytes()),
        table.bytes("identity", 1, Long.MAX_VALUE, base.identityBytes()),
        table.number("identity-volumes", 1, MAX_VOLUMES, base.identityVolumes()));
  }

  private static ServerTimeouts timeouts(SettingsTable table) {
    ServerTimeouts base = ServerTimeouts.defaults();
    ServerTimeouts timeouts =
        new ServerTimeouts(
            seconds(table, "handshake-seconds", base.handshake()),
            seconds(table, "idle-seconds", base.idle()),
            seconds(table, "sender-seconds", base.sender()),
            seconds(table, "reader-seconds", base.reader()),
            seconds(table, "lease-seconds", base.lease()),
            seconds(table, "drain-seconds", base.drain()));
    table.refuseUnknownKeys();
    return timeouts;
  }

  private static Duration seconds(SettingsTable table, String key, Duration otherwise) {
    return Duration.ofSeconds(table.number(key, 1, MAX_SECONDS, (int) otherwise.toSeconds()));
  }

  private static LogSettings log(SettingsTable table) {
    LogSettings base = LogSettings.DEFAULTS;
    LogSettings log =
        new LogSettings(
            table.constant("level", LogSettings.Level.class).orElse(base.level()),
            table.constant("format", LogSettings.Format.class).orElse(base.format()));
    table.refuseUnknownKeys();
    return log;
  }
}
