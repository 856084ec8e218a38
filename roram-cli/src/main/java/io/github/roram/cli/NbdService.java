package io.github.roram.cli;

import io.github.roram.Adversary;
import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.client.Roram;
import io.github.roram.nbd.Export;
import io.github.roram.nbd.NbdConfig;
import io.github.roram.nbd.NbdServer;
import io.github.roram.nbd.OramDevice;
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
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores that are served as block devices, from opening to the orderly end: first no more requests,
 * then the devices are flushed, then the stores closed.
 *
 * <p>Safe for use by several threads.
 */
final class NbdService {

  private static final Logger LOG = LoggerFactory.getLogger(NbdService.class);

  /**
   * What {@code roram nbd} serves, and where.
   *
   * @param listen Unix socket, or host and port
   * @param tls certificate files; null for none
   * @param anyoneOnThisMachine whether all local users may connect
   * @param exports the stores, the default one first
   */
  record Settings(
      SocketAddress listen,
      @Nullable TlsFiles tls,
      boolean anyoneOnThisMachine,
      List<Served> exports) {

    /**
     * A store to serve.
     *
     * @param name name of the export
     * @param description description of the export, for people to read
     * @param uri the store
     * @param options how to access the store
     * @param keys how to unlock the store
     * @param opening options of the ORAM and its scheme
     * @param durability null for {@code flush}, if the scheme supports it
     * @param sizeClass i, for accesses of 2^i blocks; −1 for accesses as long as requests need
     * @param inFlight most concurrent accesses, if the scheme overlaps them
     * @param readOnly whether to refuse writes
     */
    record Served(
        String name,
        String description,
        String uri,
        StoreOptions options,
        KeyOptions keys,
        OpeningOptions opening,
        @Nullable Durability durability,
        int sizeClass,
        int inFlight,
        boolean readOnly) {}

    /** Returns the files that {@code roram server init-certs} creates. */
    static TlsFiles tls(Path directory) {
      return TlsFiles.inDirectory(directory, "server");
    }

    /**
     * Reads a file, TOML. Relative paths start at its directory, but for those in a store's URI;
     * every error names file, line and key.
     *
     * @throws ConfigurationException if it is no TOML, or a key or value cannot be
     */
    static Settings read(Path file) throws IOException {
      SettingsTable root = SettingsTable.read(file);
      Optional<SocketAddress> socket = root.path("socket").map(UnixDomainSocketAddress::of);
      Optional<SocketAddress> listen =
          root.parsed("listen", text -> HostPort.parse(text).resolve());
      @Nullable TlsFiles tls = root.path("tls").map(Settings::tls).orElse(null);
      boolean anyoneOnThisMachine = root.flag("anyone-on-this-machine", false);
      Optional<SettingsTable> exports = root.table("exports");
      root.refuseUnknownKeys();
      // In the order of the file: the first is the default.
      List<Served> served = new ArrayList<>();
      exports.ifPresent(all -> all.keys().forEach(name -> served.add(export(all, name))));
      if (socket.isPresent() == listen.isPresent()) {
        throw new ConfigurationException(file + ": give one of socket and listen");
      }
      return new Settings(
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
      int sizeClass = table.number("class", 0, 99, -1);
      int inFlight =
          table.number("in-flight", 1, OpenOptions.MAX_IN_FLIGHT, InFlightOption.DEFAULT);
      boolean readOnly = table.flag("read-only", false);
      OpeningOptions opening = opening(table);
      Optional<SettingsTable> options = table.table("options");
      table.refuseUnknownKeys();
      String uri =
          store.orElseThrow(() -> exports.error(name, "has no store, as in store = \"file:DIR\""));
      StoreOptions chosen =
          options
              .map(given -> StoreArguments.fromTable(given, Stores.provider(uri)))
              .orElse(StoreOptions.defaults());
      return new Served(
          name, description, uri, chosen, keys, opening, durability, sizeClass, inFlight, readOnly);
    }

    private static OpeningOptions opening(SettingsTable export) {
      OpeningOptions opening = new OpeningOptions();
      opening.rollbackGuard = export.path("rollback-guard").orElse(null);
      opening.adversary = export.constant("adversary", Adversary.class).orElse(null);
      export
          .table("parameters")
          .ifPresent(
              table -> table.keys().forEach(name -> opening.others.put(name, table.text(name))));
      return opening;
    }
  }

  private final ServiceLife life = new ServiceLife();
  private final NbdServer server;

  /** Opens all stores and serves them. */
  NbdService(Settings settings, Environment environment) throws IOException {
    try {
      List<Export> exports = new ArrayList<>();
      for (Settings.Served each : settings.exports()) {
        exports.add(open(each, environment));
      }
      server =
          NbdServer.start(
              new NbdConfig(
                  settings.listen(),
                  exports,
                  NbdConfig.defaultLimits(),
                  settings.tls(),
                  settings.anyoneOnThisMachine()));
      life.opened(server);
    } catch (IOException | RuntimeException | Error e) {
      life.closeAll();
      throw e;
    }
  }

  private Export open(Settings.Served served, Environment environment) throws IOException {
    StoreSession session =
        StoreSession.open(
            Roram.at(served.uri())
                .store(served.options())
                .key(served.keys().key(served.uri(), environment))
                .options(config -> options(served, config)),
            served.uri(),
            null,
            environment);
    session.leaveOpenOnExit();
    life.opened(session);
    MemoryText.overlapping(session.config(), served.inFlight(), session.keepsObjects())
        .ifPresent(LOG::info);
    OramDevice device = OramDevice.over(session.oram(), served.sizeClass());
    life.opened(device);
    return new Export(served.name(), served.description(), served.readOnly(), device);
  }

  /**
   * Returns the durability of a disk with a cache, unless another was chosen or the scheme has no
   * journal.
   */
  private static Durability durability(Settings.Served served, OramConfig config) {
    boolean journal = config.has(Scheme.Trait.JOURNALLED);
    return Objects.requireNonNullElse(
        served.durability(), journal ? Durability.FLUSH : Durability.NONE);
  }

  private static OpenOptions options(Settings.Served served, OramConfig config) throws IOException {
    Durability durability = durability(served, config);
    if (durability == Durability.NONE) {
      LOG.warn(
          "scheme {} is served with durability none: a flush makes nothing durable, and the store is"
              + " lost unless the server ends in order",
          config.scheme());
    }
    return served
        .opening()
        .guarded()
        .withDurability(durability)
        .withTrims(true)
        .withInFlight(served.inFlight());
  }

  /** Returns the address for clients. */
  String uri() {
    return server.uri();
  }

  /** Ends it in order; whether all of it was possible. */
  boolean end() {
    return life.end("server", () -> true);
  }

  /** Waits until it ended. */
  void awaitClosed() {
    life.awaitClosed();
  }
}
