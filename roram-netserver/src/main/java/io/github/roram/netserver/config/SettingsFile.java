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
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/**
 * Reads the server's settings from a TOML file, as {@code docs/operations.md} describes them. Every
 * error names file, line, key, value, and what to do; a key that is not known is an error.
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
   * Reads and checks; opens nothing that the settings name.
   *
   * @throws ConfigurationException if something is wrong with the settings
   * @throws NoSuchFileException if there is no such file
   */
  public static ServerSettings read(Path file) throws IOException {
    TomlParseResult parsed = Toml.parse(file);
    if (parsed.hasErrors()) {
      TomlParseError first = parsed.errors().get(0);
      throw new ConfigurationException(
          file + ":" + first.position().line() + ": is no TOML: " + first.getMessage());
    }
    SettingsTable root = new SettingsTable(file, "", parsed);
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
            choice(table, "level", LogSettings.Level.class, base.level()),
            choice(table, "format", LogSettings.Format.class, base.format()));
    table.refuseUnknownKeys();
    return log;
  }

  private static <E extends Enum<E>> E choice(
      SettingsTable table, String key, Class<E> type, E otherwise) {
    return table
        .string(key)
        .map(
            text ->
                Arrays.stream(type.getEnumConstants())
                    .filter(value -> value.name().toLowerCase(Locale.ROOT).equals(text))
                    .findFirst()
                    .orElseThrow(
                        () ->
                            table.error(
                                key,
                                "is \""
                                    + text
                                    + "\", must be one of "
                                    + Arrays.toString(type.getEnumConstants())
                                        .toLowerCase(Locale.ROOT))))
        .orElse(otherwise);
  }

  /**
   * A table of a settings file. It remembers what it was asked for, so that keys which nobody knows
   * are found; and says file, line and key with each error.
   */
  private static final class SettingsTable {

    private static final Pattern SIZE = Pattern.compile("(\\d{1,12})([KMGT]?)(?:i?B)?");
    private static final int KIBI_BITS = 10;

    private final Path file;
    private final String prefix;
    private final TomlTable table;
    private final Set<String> known = new LinkedHashSet<>();

    SettingsTable(Path file, String prefix, TomlTable table) {
      this.file = file;
      this.prefix = prefix;
      this.table = table;
    }

    Optional<String> string(String key) {
      return Optional.ofNullable(value(key, String.class, "a string in quotes"));
    }

    /** A string that something else makes sense of; what that throws gets file and line. */
    <T> Optional<T> parsed(String key, Function<String, T> parser) {
      return string(key).map(text -> located(key, () -> parser.apply(text)));
    }

    /** A path, relative to the directory of the settings file. */
    Optional<Path> path(String key) {
      return parsed(key, text -> file.toAbsolutePath().resolveSibling(text).normalize());
    }

    boolean flag(String key, boolean otherwise) {
      Boolean value = value(key, Boolean.class, "true or false");
      return value == null ? otherwise : value;
    }

    int number(String key, int from, int to, int otherwise) {
      Long value = value(key, Long.class, "a whole number");
      return value == null ? otherwise : (int) within(key, value, value.toString(), from, to);
    }

    /** A number of bytes: a whole number, or a string such as "64M". */
    long bytes(String key, long from, long to, long otherwise) {
      known.add(key);
      Object value = table.get(List.of(key));
      if (value == null) {
        return otherwise;
      }
      if (value instanceof Long number) {
        return within(key, number, number.toString(), from, to);
      }
      Matcher matcher = SIZE.matcher(value.toString());
      if (value instanceof String && matcher.matches()) {
        String unit = matcher.group(2);
        int shift = unit.isEmpty() ? 0 : KIBI_BITS * (1 + "KMGT".indexOf(unit));
        long number = Long.parseLong(matcher.group(1));
        long bytes = number > Long.MAX_VALUE >> shift ? Long.MAX_VALUE : number << shift;
        return within(key, bytes, value.toString(), from, to);
      }
      throw error(key, "is " + shown(value) + ", must be a size, as in 4096, \"64M\" or \"2G\"");
    }

    List<String> strings(String key) {
      TomlArray array = value(key, TomlArray.class, "a list of strings");
      List<String> strings = new ArrayList<>();
      for (int i = 0; array != null && i < array.size(); i++) {
        if (!(array.get(i) instanceof String text)) {
          throw error(key, "has " + shown(array.get(i)) + " in it, must be a list of strings");
        }
        strings.add(text);
      }
      return strings;
    }

    Optional<SettingsTable> table(String key) {
      TomlTable value = value(key, TomlTable.class, "a table");
      return Optional.ofNullable(value).map(t -> new SettingsTable(file, prefix + key + ".", t));
    }

    /** The keys in it, in no order; asking does not make them known. */
    Set<String> keys() {
      return table.keySet();
    }

    /**
     * To be called last.
     *
     * @throws ConfigurationException if there is a key that nothing was asked about
     */
    void refuseUnknownKeys() {
      for (String key : table.keySet()) {
        if (!known.contains(key)) {
          throw error(key, "is unknown here; known are " + String.join(", ", known));
        }
      }
    }

    /** Runs something; errors that it finds in the value of the key get file and line. */
    <T> T located(String key, java.util.function.Supplier<T> work) {
      try {
        return work.get();
      } catch (ConfigurationException e) {
        throw new ConfigurationException(place(key) + prefix + key + ": " + e.getMessage(), e);
      }
    }

    /** An error about the value of a key. */
    ConfigurationException error(String key, String what) {
      return new ConfigurationException(place(key) + prefix + key + " " + what);
    }

    private String place(String key) {
      TomlPosition position = table.inputPositionOf(List.of(key));
      return file + ":" + (position == null ? "" : position.line() + ":") + " ";
    }

    private <T> @Nullable T value(String key, Class<T> type, String what) {
      known.add(key);
      Object value = table.get(List.of(key));
      if (value == null || type.isInstance(value)) {
        return type.cast(value);
      }
      throw error(key, "is " + shown(value) + ", must be " + what);
    }

    private static String shown(Object value) {
      if (value instanceof TomlTable) {
        return "a table";
      }
      if (value instanceof TomlArray) {
        return "a list";
      }
      return value instanceof String ? "\"" + value + "\"" : value.toString();
    }

    private long within(String key, long value, String shown, long from, long to) {
      if (value < from || value > to) {
        throw error(key, "is " + shown + ", must be from " + from + " to " + to);
      }
      return value;
    }
  }
}
