package io.github.roram.cli;

import io.github.roram.Adversary;
import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.netserver.config.HostPort;
import io.github.roram.storage.StoreOption;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.StoreProvider;
import io.github.roram.storage.Stores;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/**
 * The settings file of {@code roram nbd}, TOML. Relative paths start at its directory; every error
 * names file, line and key.
 */
final class NbdSettingsFile {

  private static final Set<String> KEYS =
      Set.of("socket", "listen", "tls", "anyone-on-this-machine", "exports");
  private static final Set<String> EXPORT_KEYS =
      Set.of(
          "store",
          "description",
          "key-file",
          "key-env",
          "passphrase-file",
          "durability",
          "rollback-guard",
          "class",
          "in-flight",
          "read-only",
          "adversary",
          "parameters",
          "options");

  private final Path file;
  private final Path base;

  private NbdSettingsFile(Path file) {
    this.file = file;
    @Nullable Path parent = file.toAbsolutePath().getParent();
    base = Objects.requireNonNull(parent, "a file that was read has a directory");
  }

  /**
   * Reads a file.
   *
   * @throws ConfigurationException if it is no TOML, or a key or value cannot be
   */
  static NbdSettings read(Path file) throws IOException {
    TomlParseResult parsed = Toml.parse(file);
    if (parsed.hasErrors()) {
      TomlParseError first = parsed.errors().get(0);
      throw new ConfigurationException(
          file + ":" + first.position().line() + ": is no TOML: " + first.getMessage());
    }
    return new NbdSettingsFile(file).settings(parsed);
  }

  private NbdSettings settings(TomlTable table) {
    refuseUnknown(table, KEYS);
    Path tls = path(table, "tls");
    TomlTable exports = value(table, "exports", TomlTable.class);
    List<NbdSettings.Served> served = new ArrayList<>();
    if (exports != null) {
      // In the order of the file: the first is the default.
      exports.keySet().stream()
          .sorted(
              Comparator.comparing(
                  name -> Objects.requireNonNull(exports.inputPositionOf(List.of(name))).line()))
          .forEach(name -> served.add(export(exports, name)));
    }
    return new NbdSettings(
        listen(table),
        tls == null ? null : NbdSettings.tls(tls),
        Boolean.TRUE.equals(value(table, "anyone-on-this-machine", Boolean.class)),
        List.copyOf(served));
  }

  private SocketAddress listen(TomlTable table) {
    Path socket = path(table, "socket");
    String listen = value(table, "listen", String.class);
    if (socket != null && listen == null) {
      return UnixDomainSocketAddress.of(socket);
    }
    if (socket == null && listen != null) {
      return HostPort.parse(listen).resolve();
    }
    throw new ConfigurationException(file + ": give one of socket and listen");
  }

  private NbdSettings.Served export(TomlTable exports, String name) {
    TomlTable table = value(exports, name, TomlTable.class);
    if (table == null) {
      throw error(exports, name, "must be a table");
    }
    refuseUnknown(table, EXPORT_KEYS);
    String uri = value(table, "store", String.class);
    if (uri == null) {
      throw error(exports, name, "has no store, as in store = \"file:DIR\"");
    }
    KeyOptions keys = new KeyOptions();
    keys.keyFile = path(table, "key-file");
    keys.variable = value(table, "key-env", String.class);
    keys.passphraseFile = path(table, "passphrase-file");
    String description = value(table, "description", String.class);
    Long sizeClass = value(table, "class", Long.class);
    Long inFlight = value(table, "in-flight", Long.class);
    if (inFlight != null && (inFlight < 1 || inFlight > OpenOptions.MAX_IN_FLIGHT)) {
      throw error(
          table, "in-flight", "is " + inFlight + ", must be 1 to " + OpenOptions.MAX_IN_FLIGHT);
    }
    return new NbdSettings.Served(
        name,
        description == null ? "" : description,
        uri,
        options(table, Stores.provider(uri)),
        keys,
        opening(table),
        constant(table, "durability", Durability.values()),
        path(table, "rollback-guard"),
        sizeClass == null ? -1 : (int) Math.max(-2, Math.min(sizeClass, 99)),
        inFlight == null ? InFlightOption.DEFAULT : inFlight.intValue(),
        Boolean.TRUE.equals(value(table, "read-only", Boolean.class)));
  }

  private OpeningOptions opening(TomlTable export) {
    OpeningOptions opening = new OpeningOptions();
    opening.adversary = constant(export, "adversary", Adversary.values());
    TomlTable table = value(export, "parameters", TomlTable.class);
    if (table != null) {
      for (String name : table.keySet()) {
        opening.others.put(name, String.valueOf(table.get(List.of(name))));
      }
    }
    return opening;
  }

  /** The constant of a name in lower case; null if the key is not there. */
  private <E extends Enum<E>> @Nullable E constant(TomlTable table, String key, E[] constants) {
    String text = value(table, key, String.class);
    if (text == null) {
      return null;
    }
    List<String> names = new ArrayList<>();
    for (E constant : constants) {
      String name = constant.name().toLowerCase(Locale.ROOT);
      if (name.equals(text)) {
        return constant;
      }
      names.add(name);
    }
    throw error(table, key, "is \"" + text + "\", must be one of " + String.join(", ", names));
  }

  private StoreOptions options(TomlTable export, StoreProvider provider) {
    TomlTable table = value(export, "options", TomlTable.class);
    StoreOptions options = StoreOptions.defaults();
    for (String key : table == null ? Set.<String>of() : table.keySet()) {
      StoreOption<?> option = StoreArguments.ownOption(provider, key);
      if (table == null || option == null) {
        throw error(export, "options", "has " + key + ", which is no option of such stores");
      }
      options = with(options, option, String.valueOf(table.get(List.of(key))));
    }
    return options;
  }

  private <T> StoreOptions with(StoreOptions options, StoreOption<T> option, String value) {
    return options.with(option, option.parse(file + ": " + option.name(), value, base));
  }

  private @Nullable Path path(TomlTable table, String key) {
    String text = value(table, key, String.class);
    return text == null ? null : base.resolve(text).normalize();
  }

  private <T> @Nullable T value(TomlTable table, String key, Class<T> type) {
    Object value = table.get(List.of(key));
    if (value != null && !type.isInstance(value)) {
      throw error(table, key, "is no " + type.getSimpleName().toLowerCase(Locale.ROOT));
    }
    return type.cast(value);
  }

  private void refuseUnknown(TomlTable table, Set<String> known) {
    for (String key : table.keySet()) {
      if (!known.contains(key)) {
        throw error(
            table,
            key,
            "is unknown here; known are " + String.join(", ", known.stream().sorted().toList()));
      }
    }
  }

  private ConfigurationException error(TomlTable table, String key, String what) {
    TomlPosition position = table.inputPositionOf(List.of(key));
    return new ConfigurationException(
        file + ":" + (position == null ? "" : position.line() + ":") + " " + key + " " + what);
  }
}
