package io.github.roram.netserver.operations;

import io.github.roram.netserver.BlockServer;
import io.github.roram.netserver.FileBacking;
import io.github.roram.netserver.ServerConfig;
import io.github.roram.netserver.access.ClientAuthenticator;
import io.github.roram.netserver.access.TokenFile;
import io.github.roram.netserver.config.HostPort;
import io.github.roram.netserver.config.ServerSettings;
import io.github.roram.netserver.config.ServerSettings.MetricsSettings;
import io.github.roram.netserver.metrics.OperationsEndpoint;
import io.github.roram.netserver.metrics.ServerMetrics;
import io.github.roram.storage.file.FileOptions;
import io.github.roram.storage.tls.TlsFiles;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
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
  private final BlockServer server;
  private final @Nullable OperationsEndpoint endpoint;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile boolean ready = true;
  private boolean drained;

  private OperatedServer(ServerSettings settings, ServerMetrics metrics, BlockServer server)
      throws IOException {
    this.settings = settings;
    this.metrics = metrics;
    this.server = server;
    MetricsSettings told = settings.metrics();
    endpoint =
        told == null
            ? null
            : OperationsEndpoint.start(
                told, settings.tls(), tokens(settings), metrics::scrape, () -> ready);
  }

  /**
   * Starts a server.
   *
   * @throws IOException if a file cannot be read or the server cannot listen
   * @throws io.github.roram.ConfigurationException if a file holds something else than it should
   */
  public static OperatedServer start(ServerSettings settings) throws IOException {
    ServerMetrics metrics = new ServerMetrics();
    BlockServer server = BlockServer.start(config(settings, metrics));
    try {
      OperatedServer operated = new OperatedServer(settings, metrics, server);
      operated.addGauges();
      LOG.atInfo()
          .addKeyValue("uri", operated.uri())
          .addKeyValue("directory", settings.directory())
          .log("server started");
      return operated;
    } catch (IOException | RuntimeException e) {
      server.close();
      metrics.close();
      throw e;
    }
  }

  /**
   * Reads all files that the settings name, and starts nothing.
   *
   * @throws IOException if one cannot be read
   * @throws io.github.roram.ConfigurationException if one holds something else than it should
   */
  public static void check(ServerSettings settings) throws IOException {
    sslContext(settings);
    tokens(settings);
    settings.listen().resolve();
    Path directory = settings.directory();
    if (Files.exists(directory) && !(Files.isDirectory(directory) && Files.isWritable(directory))) {
      throw new IOException(
          "directory " + directory + " is no directory that this user can write; choose another");
    }
  }

  private static ServerConfig config(ServerSettings settings, ServerMetrics metrics)
      throws IOException {
    return new ServerConfig(
        settings.listen().resolve(),
        new FileBacking(settings.directory(), FileOptions.defaults()),
        settings.limits(),
        settings.timeouts(),
        sslContext(settings),
        new ClientAuthenticator(tokens(settings), settings.anonymous()),
        settings.access(),
        metrics,
        System::nanoTime);
  }

  private static @Nullable SslContext sslContext(ServerSettings settings) throws IOException {
    TlsFiles tls = settings.tls();
    if (tls == null) {
      return null;
    }
    boolean otherProof = settings.tokens() != null || settings.anonymous();
    return tls.serverContext(otherProof ? ClientAuth.OPTIONAL : ClientAuth.REQUIRE);
  }

  private static @Nullable TokenFile tokens(ServerSettings settings) throws IOException {
    Path file = settings.tokens();
    return file == null ? null : TokenFile.read(file);
  }

  private void addGauges() throws IOException {
    metrics.gauge(
        "roram.in.flight.bytes",
        "Bytes received and not yet stored, and read and not yet sent",
        server::bufferedBytes);
    metrics.gauge("roram.ready", "1 while connections are taken, else 0", () -> ready ? 1 : 0);
    metrics.gauge(
        "roram.directory.free.bytes", "Room left for the volumes", () -> freeBytes(settings));
    TlsFiles tls = settings.tls();
    if (tls != null) {
      metrics.certificateExpiry(tls.expiry());
    }
  }

  private static double freeBytes(ServerSettings settings) {
    try {
      return Files.getFileStore(settings.directory()).getUsableSpace();
    } catch (IOException e) {
      return Double.NaN;
    }
  }

  /** Where clients connect; a volume's name comes after it and a slash. */
  public String uri() {
    return (settings.tls() == null ? "tcp://" : "tls://") + hostPort();
  }

  /** Host and port where clients connect. */
  public HostPort hostPort() {
    return new HostPort(settings.listen().host(), server.address().getPort());
  }

  /** The metrics as they are now, in the text format of Prometheus. */
  public String scrape() {
    return metrics.scrape();
  }

  /** Where metrics are told, if anywhere. */
  public Optional<String> metricsUri() {
    return Optional.ofNullable(endpoint).map(OperationsEndpoint::uri);
  }

  /**
   * Stops taking connections, finishes the requests that are under way, syncs and closes all
   * volumes. Metrics are told until the end.
   *
   * @return whether all requests were finished within the bound
   */
  public synchronized boolean drain() {
    if (closed.getCount() == 0) {
      return drained;
    }
    ready = false;
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

  /** Waits until it is closed, from another thread; returns early if the thread is interrupted. */
  public void awaitClosed() {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** As {@link #drain}. */
  @Override
  public void close() {
    drain();
  }
}
