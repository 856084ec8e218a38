package io.github.roram.cli;

import io.github.roram.AsyncOram;
import io.github.roram.ConstantRate;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramStats.TreeStats;
import io.github.roram.Scheme;
import io.github.roram.intake.IntakeLimits;
import io.github.roram.intake.TrustedServer;
import io.github.roram.map.OramMap;
import io.github.roram.netserver.access.AccessRules;
import io.github.roram.netserver.access.ReloadedAccess;
import io.github.roram.netserver.access.ReloadedAccess.AccessFiles;
import io.github.roram.netserver.config.HostPort;
import io.github.roram.netserver.config.ServerSettings.MetricsSettings;
import io.github.roram.netserver.metrics.OperationsEndpoint;
import io.github.roram.netserver.metrics.ServerMetrics;
import io.github.roram.open.Orams;
import io.github.roram.proxy.ProxyConfig;
import io.github.roram.proxy.ProxyServer;
import io.github.roram.resp.RespServer;
import io.github.roram.storage.tls.TlsFiles;
import io.github.roram.store.StoreLockedException;
import io.github.roram.threads.OwnedThreads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A store that a proxy shares, from opening to the orderly end: first no more requests, then the
 * ORAM is closed, then the store.
 *
 * <p>Safe for use by several threads.
 */
final class ProxyService {

  /** Accesses that the ORAM has under way or waiting. */
  private static final int UNDER_WAY = 64;

  /** Accesses at a constant rate that are under way: what is beyond is a time that was missed. */
  private static final int UNDER_WAY_AT_RATE = 16;

  /** What clients connect to. */
  enum Front {
    /** Serves the ORAM, by the proxy's protocol. */
    PROXY("proxy") {
      @Override
      TrustedServer start(Settings settings, ProxyConfig config, Oram whole, AsyncOram oram)
          throws IOException {
        return ProxyServer.start(config, oram);
      }
    },

    /** Serves the map in the ORAM, by Redis' protocol. */
    MAP("redis") {
      @Override
      TrustedServer start(Settings settings, ProxyConfig config, Oram whole, AsyncOram oram)
          throws IOException {
        OramMap map = OramMap.open(whole, oram);
        if (settings.perSecond() != 0) {
          checkRate(settings.sizeClass(), oram.config(), map.accessBlocks());
        }
        return RespServer.start(config, map);
      }
    };

    private final String scheme;

    Front(String scheme) {
      this.scheme = scheme;
    }

    /**
     * Starts it.
     *
     * @param whole the ORAM
     * @param oram as it is to be called
     * @throws UsageException if at a constant rate a map's accesses would show, or are longer
     */
    abstract TrustedServer start(Settings settings, ProxyConfig config, Oram whole, AsyncOram oram)
        throws IOException;

    private static void checkRate(int sizeClass, OramConfig config, int accessBlocks) {
      if (!config.has(Scheme.Trait.WHOLE_RANGES)) {
        throw new UsageException(
            "--rate is for maps in stores of scheme roram: in scheme "
                + config.scheme()
                + " accesses of a map look like no others; leave it out, or make the map in a store"
                + " of scheme roram");
      }
      if (1 << sizeClass < accessBlocks) {
        throw new UsageException(
            "--class is "
                + sizeClass
                + ", accesses of "
                + (1 << sizeClass)
                + " blocks, and this map makes some of "
                + accessBlocks
                + "; give --class "
                + Integer.numberOfTrailingZeros(accessBlocks)
                + " or more");
      }
    }

    private String uri(boolean tls, HostPort at) {
      return scheme + (tls && this == MAP ? "s" : "") + "://" + at;
    }
  }

  /**
   * How {@code roram proxy} shares a store.
   *
   * @param listen address for clients
   * @param tls certificate files; null for none
   * @param tokens the file of tokens; null for none
   * @param anyoneOnThisMachine whether clients on loopback need no credentials
   * @param access who may use the store
   * @param metrics address of health and metrics; null for none
   * @param perSecond accesses per second; 0 for as many as clients ask for
   * @param sizeClass i, for accesses of 2^i blocks; applies with a rate
   * @param syncs whether every acknowledged access is durable, if the scheme supports it
   * @param backups schedule of backups; null for none
   * @param blocksFile file with the number of blocks that the store should have; null to keep its
   *     size
   */
  record Settings(
      HostPort listen,
      @Nullable TlsFiles tls,
      @Nullable Path tokens,
      boolean anyoneOnThisMachine,
      AccessRules access,
      @Nullable MetricsSettings metrics,
      double perSecond,
      int sizeClass,
      boolean syncs,
      BackupSchedule.@Nullable Settings backups,
      @Nullable Path blocksFile) {}

  private final ServiceLife life = new ServiceLife();
  private final Settings settings;
  private final Front front;
  private final ServerMetrics metrics = new ServerMetrics();
  private final ReloadedAccess access;
  private final TrustedServer server;
  private final @Nullable OperationsEndpoint endpoint;
  private volatile boolean ready = true;
  private volatile boolean replaced;

  /** Ends it; not on a thread that the end waits for. */
  private final Executor last = new OwnedThreads().serial("roram-proxy-replaced");

  /** Shares an ORAM, which it closes, as a failure does. */
  ProxyService(Settings settings, StoreSession session, Front front) throws IOException {
    this.settings = settings;
    this.front = front;
    session.leaveOpenOnExit();
    life.opened(session);
    try {
      AsyncOram oram = oram(session);
      life.opened(oram);
      access = ReloadedAccess.start(() -> files(settings), () -> {});
      life.opened(access);
      server = front.start(settings, config(oram.config()), session.oram(), oram);
      life.opened(server);
      addGauges(oram);
      BackupSchedule.Settings backups = settings.backups();
      if (backups != null) {
        BackupSchedule schedule = new BackupSchedule(session.oram(), session.uri(), backups);
        life.opened(schedule);
        metrics.gauge("roram.backup.age.seconds", "Since the last backup", schedule::age);
      }
      Path blocksFile = settings.blocksFile();
      if (blocksFile != null) {
        life.opened(new GrowthWatch(session.oram(), blocksFile));
      }
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
      CompletableFuture<Void> unused = server.replaced().thenRunAsync(this::endReplaced, last);
    } catch (IOException | RuntimeException | Error e) {
      life.closeAll();
      metrics.close();
      throw e;
    }
  }

  private AsyncOram oram(StoreSession session) {
    AsyncOram oram = session.async(UNDER_WAY);
    if (settings.perSecond() == 0) {
      return oram;
    }
    ConstantRate timed =
        Orams.atConstantRate(oram, settings.perSecond(), settings.sizeClass(), UNDER_WAY_AT_RATE);
    metrics.count("roram.rate.asked", "Accesses that somebody asked for", timed::asked);
    metrics.count("roram.rate.dummies", "Accesses that nobody asked for", timed::dummies);
    metrics.count("roram.rate.missed", "Times at which no access was made", timed::missed);
    return timed;
  }

  private static AccessFiles files(Settings settings) {
    return new AccessFiles(
        null, settings.tls(), settings.tokens(), settings.anyoneOnThisMachine(), settings.access());
  }

  private ProxyConfig config(OramConfig of) throws IOException {
    boolean durable = settings.syncs() && of.has(Scheme.Trait.JOURNALLED);
    return new ProxyConfig(
        settings.listen().resolve(),
        access.sslContext(),
        access,
        access,
        limits(of),
        metrics,
        durable);
  }

  /**
   * Returns the limits. At a constant rate, clients are told to split requests that are longer than
   * the class.
   */
  private IntakeLimits limits(OramConfig of) {
    IntakeLimits limits = ProxyConfig.defaultLimits();
    if (settings.perSecond() == 0) {
      return limits;
    }
    long classBytes = (long) of.blockBytes() << settings.sizeClass();
    return limits.withMaxRequestBytes(Math.min(limits.maxRequestBytes(), classBytes));
  }

  private void addGauges(AsyncOram oram) {
    metrics.gauge("roram.proxy.queue", "Requests that wait for their turn", server::waiting);
    metrics.gauge("roram.proxy.under.way", "Requests that are not answered", server::requests);
    metrics.gauge("roram.in.flight.bytes", "Bytes held of requests and answers", server::heldBytes);
    metrics.gauge("roram.ready", "1 while connections are taken, else 0", () -> ready ? 1 : 0);
    ScrapedStats scraped = new ScrapedStats(oram, System::nanoTime);
    addGauge(scraped, "roram.stash.blocks", "Blocks beyond the treetops", TreeStats::stashBlocks);
    addGauge(scraped, "roram.held.blocks", "Blocks that the client holds", TreeStats::heldBlocks);
    long limit = Scheme.of(oram.config().scheme()).stashLimit(oram.config()).orElse(0);
    metrics.gauge(
        "roram.stash.fullness.ratio",
        "Blocks of the fullest stash, as a part of its limit, beyond which writes fail",
        () ->
            limit == 0
                ? 0
                : (double)
                        scraped.get().oram().trees().stream()
                            .mapToInt(TreeStats::stashBlocks)
                            .max()
                            .orElse(0)
                    / limit);
    metrics.count(
        "roram.evictions",
        "Path evictions",
        () -> scraped.get().oram().trees().stream().mapToLong(TreeStats::evictions).sum());
    addOverlapGauges(scraped);
    metrics.access(access);
  }

  private void addOverlapGauges(ScrapedStats scraped) {
    metrics.gauge(
        "roram.pending.reads",
        "Reads of paths that are not complete",
        () -> scraped.get().overlap().pendingReads());
    metrics.gauge(
        "roram.owed.blocks",
        "Blocks that evictions are owed for",
        () -> scraped.get().overlap().owedBlocks());
    metrics.gauge(
        "roram.evictions.under.way",
        "Paths that are being evicted",
        () -> scraped.get().overlap().evictionsUnderWay());
    metrics.count(
        "roram.fake.reads",
        "Ranges that were being read already, so that random runs were read",
        () -> scraped.get().overlap().fakeReads());
    metrics.gauge(
        "roram.subtree.buckets",
        "Buckets that scheme tao holds between reading and writing them",
        () -> scraped.get().overlap().subtreeBuckets());
  }

  /** Adds the sum over all trees. */
  private void addGauge(
      ScrapedStats scraped, String name, String description, ToLongFunction<TreeStats> of) {
    metrics.gauge(
        name, description, () -> scraped.get().oram().trees().stream().mapToLong(of).sum());
  }

  /** Returns the address for clients. */
  String uri() {
    return front.uri(
        settings.tls() != null, new HostPort(settings.listen().host(), server.address().getPort()));
  }

  /** Returns the URI of the metrics, if they are served. */
  Optional<String> metricsUri() {
    return Optional.ofNullable(endpoint).map(OperationsEndpoint::uri);
  }

  /** Ends it in order; whether all of it was possible. */
  boolean end() {
    ready = false;
    return life.end("proxy", this::endMetrics);
  }

  /**
   * Ends the metrics last, so that they show the end; returns whether all requests were answered.
   */
  private boolean endMetrics() {
    if (endpoint != null) {
      endpoint.close();
    }
    metrics.close();
    return server.isDrained();
  }

  /** Its clients are to find the other proxy. */
  private void endReplaced() {
    replaced = true;
    end();
  }

  /** Returns whether the service has ended because another client took the records. */
  boolean wasReplaced() {
    return replaced;
  }

  /**
   * Waits until it ended.
   *
   * @throws StoreLockedException if it {@linkplain #wasReplaced was replaced}
   */
  void awaitClosed() throws StoreLockedException {
    life.awaitClosed();
    if (replaced) {
      throw new StoreLockedException(
          "another client has taken the client's records, so this one has ended; start it again with"
              + " --standby, to follow that one");
    }
  }
}
