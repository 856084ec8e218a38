package io.github.roram.cli;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.client.Roram;
import io.github.roram.nbd.Export;
import io.github.roram.nbd.NbdConfig;
import io.github.roram.nbd.NbdServer;
import io.github.roram.nbd.OramDevice;
import io.github.roram.storage.file.FileRollbackGuard;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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

  private final ServiceLife life = new ServiceLife();
  private final NbdServer server;

  private NbdService(NbdSettings settings, Environment environment) throws IOException {
    try {
      List<Export> exports = new ArrayList<>();
      for (NbdSettings.Served each : settings.exports()) {
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
    } catch (IOException | RuntimeException e) {
      life.closeAll();
      throw e;
    }
  }

  /** Opens all stores and serves them. */
  static NbdService start(NbdSettings settings, Environment environment) throws IOException {
    return new NbdService(settings, environment);
  }

  private Export open(NbdSettings.Served served, Environment environment) throws IOException {
    StoreSession session =
        StoreSession.open(
            Roram.at(served.uri())
                .store(served.options())
                .key(served.keys().key(served.uri(), environment))
                .options(config -> options(served, OpenOptions.defaults(), config)),
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

  /** That of a disk with a cache, unless another was asked for or the scheme has no journal. */
  private static Durability durability(NbdSettings.Served served, OramConfig config) {
    boolean journal = config.has(Scheme.Trait.JOURNALLED);
    return Objects.requireNonNullElse(
        served.durability(), journal ? Durability.FLUSH : Durability.NONE);
  }

  private static OpenOptions options(
      NbdSettings.Served served, OpenOptions defaults, OramConfig config) throws IOException {
    Durability durability = durability(served, config);
    if (durability == Durability.NONE) {
      LOG.warn(
          "scheme {} is served with durability none: a flush makes nothing durable, and the store is"
              + " lost unless the server ends in order",
          config.scheme());
    }
    OpenOptions options =
        served
            .opening()
            .over(defaults)
            .withDurability(durability)
            .withTrims(true)
            .withInFlight(served.inFlight());
    return served.rollbackGuard() == null
        ? options
        : options.withRollbackGuard(FileRollbackGuard.open(served.rollbackGuard()));
  }

  /** Where clients connect. */
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
