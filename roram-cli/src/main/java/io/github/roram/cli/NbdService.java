package io.github.roram.cli;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.nbd.Export;
import io.github.roram.nbd.NbdConfig;
import io.github.roram.nbd.NbdLimits;
import io.github.roram.nbd.NbdServer;
import io.github.roram.nbd.OramDevice;
import io.github.roram.storage.file.FileRollbackGuard;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
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

  /** What is open, the last first. */
  private final Deque<Closeable> opened = new ArrayDeque<>();

  private final CountDownLatch closed = new CountDownLatch(1);
  private final NbdServer server;
  private boolean ended;
  private boolean complete = true;

  private NbdService(NbdSettings settings, Environment environment) throws IOException {
    try {
      List<Export> exports = new ArrayList<>();
      for (NbdSettings.Served each : settings.exports()) {
        exports.add(open(each, environment));
      }
      server =
          NbdServer.start(
              new NbdConfig(settings.listen(), exports, NbdLimits.defaults(), settings.tls()));
      opened.push(server);
    } catch (IOException | RuntimeException e) {
      closeAll();
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
            served.uri(),
            served.options(),
            served.keys(),
            (defaults, config) -> options(served, defaults, config),
            null,
            environment);
    session.leaveOpenOnExit();
    opened.push(session);
    int threads = OramDevice.threadsFor(durability(served, session.oram().config()));
    OramDevice device = new OramDevice(session.oram(), served.sizeClass(), threads);
    opened.push(device);
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
        served.opening().over(defaults).withDurability(durability).withTrims(true);
    return served.rollbackGuard() == null
        ? options
        : options.withRollbackGuard(FileRollbackGuard.open(served.rollbackGuard()));
  }

  /** Where clients connect. */
  String uri() {
    return server.uri();
  }

  /** Ends it in order; whether all of it was possible. */
  synchronized boolean end() {
    if (!ended) {
      ended = true;
      closeAll();
      LOG.atInfo().addKeyValue("complete", complete).log("server ended");
      closed.countDown();
    }
    return complete;
  }

  private void closeAll() {
    for (Closeable each : opened) {
      try {
        each.close();
      } catch (IOException | RuntimeException e) {
        complete = false;
        LOG.error("could not be closed in order: {}", e.toString());
      }
    }
    opened.clear();
  }

  /** Waits until it ended. */
  void awaitClosed() {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
