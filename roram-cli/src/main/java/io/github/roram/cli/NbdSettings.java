package io.github.roram.cli;

import io.github.roram.Adversary;
import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.netserver.config.HostPort;
import io.github.roram.netserver.config.SettingsTable;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.tls.TlsFiles;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What {@code roram nbd} serves, and where.
 *
 * @param listen Unix socket, or host and port
 * @param tls certificate files; null for none
 * @param anyoneOnThisMachine whether all local users may connect
 * @param exports the stores, the default one first
 */
record NbdSettings(
    SocketAddress listen,
    @Nullable TlsFiles tls,
    boolean anyoneOnThisMachine,
    List<Served> exports) {

  /**
   * A store that is served.
   *
   * @param name of the export
   * @param description of the export, for people
   * @param uri the store
   * @param options how to access it
   * @param keys what unlocks it
   * @param opening what is chosen of its scheme
   * @param durability null for {@code flush}, where the scheme has it
   * @param rollbackGuard its file; null for none
   * @param sizeClass i, for accesses of 2^i blocks; −1 for as long as requests need
   * @param inFlight accesses that overlap, where its scheme can
   * @param readOnly whether writes are refused
   */
  record Served(
      String name,
      String description,
      String uri,
      StoreOptions options,
      KeyOptions keys,
      OpeningOptions opening,
      @Nullable Durability durability,
      @Nullable Path rollbackGuard,
      int sizeClass,
      int inFlight,
      boolean readOnly) {}

  /** The files that {@code roram server init-certs} makes. */
  static TlsFiles tls(Path directory) {
    return TlsFiles.inDirectory(directory, "server");
  }

  /**
   * Reads a file, TOML. Relative paths start at its directory; every error names file, line and
   * key.
   *
   * @throws ConfigurationException if it is no TOML, or a key or value cannot be
   */
  static NbdSettings read(Path file) throws IOException {
    SettingsTable root = SettingsTable.read(file);
    Optional<SocketAddress> socket = root.path("socket").map(UnixDomainSocketAddress::of);
    Optional<SocketAddress> listen = root.parsed("listen", text -> HostPort.parse(text).resolve());
    @Nullable TlsFiles tls = root.path("tls").map(NbdSettings::tls).orElse(null);
    boolean anyoneOnThisMachine = root.flag("anyone-on-this-machine", false);
    Optional<SettingsTable> exports = root.table("exports");
    root.refuseUnknownKeys();
    // In the order of the file: the first is the default.
    List<Served> served = new ArrayList<>();
    exports.ifPresent(all -> all.keys().forEach(name -> served.add(export(all, name))));
    if (socket.isPresent() == listen.isPresent()) {
      throw new ConfigurationException(file + ": give one of socket and listen");
    }
    return new NbdSettings(
        socket.or(() -> listen).orElseThrow(), tls, anyoneOnThisMachine, List.copyOf(served));
  }

  private static Served export(SettingsTable exports, String name) {
    SettingsTable table = exports.table(name).orElseThrow();
    Optional<String> store = table.string("store");
    String description = table.string("description").orElse("");
    KeyOptions keys = new KeyOptions();
    keys.keyFile = table.path("key-file").orElse(null);
    keys.variable = table.string("key-env").orElse(null);
    keys.passphraseFile = table.path("passphrase-file").orElse(null);
    @Nullable Durability durability = table.constant("durability", Durability.class).orElse(null);
    @Nullable Path rollbackGuard = table.path("rollback-guard").orElse(null);
    int sizeClass = table.number("class", 0, 99, -1);
    int inFlight = table.number("in-flight", 1, OpenOptions.MAX_IN_FLIGHT, InFlightOption.DEFAULT);
    boolean readOnly = table.flag("read-only", false);
    OpeningOptions opening = opening(table);
    Optional<SettingsTable> options = table.table("options");
    table.refuseUnknownKeys();
    String uri =
        store.orElseThrow(() -> exports.error(name, "has no store, as in store = \"file:DIR\""));
    StoreOptions chosen =
        options
            .map(given -> StoreSettings.of(given, Stores.provider(uri)))
            .orElse(StoreOptions.defaults());
    return new Served(
        name,
        description,
        uri,
        chosen,
        keys,
        opening,
        durability,
        rollbackGuard,
        sizeClass,
        inFlight,
        readOnly);
  }

  private static OpeningOptions opening(SettingsTable export) {
    OpeningOptions opening = new OpeningOptions();
    opening.adversary = export.constant("adversary", Adversary.class).orElse(null);
    export
        .table("parameters")
        .ifPresent(
            table -> table.keys().forEach(name -> opening.others.put(name, table.text(name))));
    return opening;
  }
}
