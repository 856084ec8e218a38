package io.github.roram.netserver.operations;

import io.github.roram.netserver.BlockServer;
import io.github.roram.netserver.FileBacking;
import io.github.roram.netserver.ServerConfig;
import io.github.roram.netserver.access.ReloadedAccess;
import io.github.roram.netserver.access.ReloadedAccess.AccessFiles;
import io.github.roram.netserver.config.HostPort;
import io.github.roram.netserver.config.ServerSettings;
import io.github.roram.netserver.config.ServerSettings.MetricsSettings;
import io.github.roram.netserver.config.SettingsFile;
import io.github.roram.netserver.metrics.OperationsEndpoint;
import io.github.roram.netserver.metrics.ServerMetrics;
import io.github.roram.storage.file.FileOptions;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A block server with its metrics, as its settings describe it. Safe for use by several threads.
 */
public final class OperatedServer implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(OperatedServer.class);

  private final ServerSettings settings;
  private final ServerMetrics metrics;
  private final ReloadedAccess access;
  private final BlockServer server;
  private final @Nullable OperationsEndpoint endpoint;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile boolean ready = true;
  private boolean drained;

  private OperatedServer(
      ServerSettings settings, ServerMetrics metrics, ReloadedAccess access, BlockServer server)
      throws IOException {
    this.settings = settings;
    this.metrics = metrics;
    this.access = access;
    this.server = server;
    MetricsSettings told = settings.metrics();
    endpoint =
        told == null
            ? null
            : new OperationsEndpoint(
                told,
                access.sslContext(),
                access::authenticateProven,
                metrics::scrape,
                () -> ready);
  }

  /** Starts a server whose settings stay as they are. */
  public static OperatedServer start(ServerSettings settings) throws IOException {
    return start(settings, null);
  }

  /**
   * Starts a server. It reloads certificates and tokens when they change, and what the settings
   * file says about them and about volumes; other settings take effect at the next start.
   *
   * @param file the settings file; null if there is none
   * @throws IOException if a file cannot be read or the server cannot listen
   * @throws io.github.roram.ConfigurationException if a file is invalid
   */
  public static OperatedServer start(ServerSettings settings, @Nullable Path file)
      throws IOException {
    ServerMetrics metrics = new ServerMetrics();
    AtomicReference<@Nullable BlockServer> started = new AtomicReference<>();
    ReloadedAccess access =
        ReloadedAccess.start(
            () -> files(file == null ? settings : SettingsFile.read(file), file),
            () -> {
              BlockServer server = started.get();
              if (server != null) {
                // Clients come again at once, and are let in by what counts now.
                server.disconnectAll();
              }
            });
    BlockServer server;
    try {
      server = BlockServer.start(config(settings, access, metrics));
    } catch (IOException | RuntimeException e) {
      access.close();
      metrics.close();
      throw e;
    }
    started.set(server);
    try {
      OperatedServer operated = new OperatedServer(settings, metrics, access, server);
      operated.addGauges();
      LOG.atInfo()
          .addKeyValue("uri", operated.uri())
          .addKeyValue("directory", settings.directory())
          .log("server started");
      return operated;
    } catch (IOException | RuntimeException e) {
      access.close();
      server.close();
      metrics.close();
      throw e;
    }
  }

  private static AccessFiles files(ServerSettings settings, @Nullable Path file) {
    return new AccessFiles(
        file, settings.tls(), settings.tokens(), settings.anonymous(), settings.access());
  }

  /**
   * Reads all files that the settings name, and starts nothing.
   *
   * @throws IOException if one cannot be read
   * @throws io.github.roram.ConfigurationException if one is invalid
   */
  public static void check(ServerSettings settings) throws IOException {
    ReloadedAccess.check(files(settings, null));
    settings.listen().resolve();
    Path directory = settings.directory();
    if (Files.exists(directory) && !(Files.isDirectory(directory) && Files.isWritable(directory))) {
      throw new IOException(
          "directory " + directory + " is no directory that this user can write; choose another");
    }
  }

  private static ServerConfig config(
      ServerSettings settings, ReloadedAccess access, ServerMetrics metrics) throws IOException {
    return new ServerConfig(
        settings.listen().resolve(),
        new FileBacking(settings.directory(), FileOptions.defaults()),
        settings.limits(),
        settings.timeouts(),
        access.sslContext(),
        access,
        access,
        metrics,
        System::nanoTime);
  }

  private void addGauges() {
    metrics.gauge(
        "roram.in.flight.bytes",
        "Bytes received and not yet stored, and read and not yet sent",
        server::bufferedBytes);
    metrics.gauge("roram.ready", "1 while connections are taken, else 0", () -> ready ? 1 : 0);
    metrics.gauge(
        "roram.directory.free.bytes", "Room left for the volumes", () -> freeBytes(settings));
    metrics.access(access);
  }

  private static double freeBytes(ServerSettings settings) {
    try {
      return Files.getFileStore(settings.directory()).getUsableSpace();
    } catch (IOException e) {
      return Double.NaN;
    }
  }

  /** Returns the URI for clients, to which they append a slash and a volume's name. */
  public String uri() {
    return (settings.tls() == null ? "tcp://" : "tls://") + hostPort();
  }

  /** Returns the host and port for clients. */
  public HostPort hostPort() {
    return new HostPort(settings.listen().host(), server.address().getPort());
  }

  /** Returns the present metrics in the text format of Prometheus. */
  public String scrape() {
    return metrics.scrape();
  }

  /** Returns the URI of the metrics, if they are served. */
  public Optional<String> metricsUri() {
    return Optional.ofNullable(endpoint).map(OperationsEndpoint::uri);
  }

  /**
   * Accepts no more connections, finishes the requests in flight, syncs and closes all volumes.
   * Metrics are served until the end.
   *
   * @return whether all requests were finished within the time limit
   */
  public synchronized boolean drain() {
    if (closed.getCount() == 0) {
      return drained;
    }
    ready = false;
    access.close();
    LOG.atInfo().addKeyValue("connections", server.connections()).log("server drains");
    server.close();
    drained = server.isDrained();
    if (endpoint != null) {
      endpoint.close();
    }
    metrics.close();
    LOG.atInfo().addKeyValue("complete", drained).log("server ended");
    closed.countDown();
    return drained;
  }

  /** Waits until another thread has closed it; returns early if this thread is interrupted. */
  public void awaitClosed() {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Closes the server as {@link #drain} does. */
  @Override
  public void close() {
    drain();
  }
}
