package io.github.roram.netserver.metrics;

import io.github.roram.netserver.ServerObserver;
import io.github.roram.netserver.access.ReloadedAccess;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;

/**
 * Metrics of a server, for Prometheus.
 *
 * <p><b>Security.</b> The metrics show no more than an observer of the server sees: numbers, sizes
 * and times of requests, and names and sizes of volumes. They contain no client's name, token, key
 * or address. Safe for use by several threads.
 */
public final class ServerMetrics implements ServerObserver, AutoCloseable {

  private static final Duration[] LATENCY_BUCKETS = {
    Duration.ofNanos(100_000),
    Duration.ofNanos(300_000),
    Duration.ofMillis(1),
    Duration.ofMillis(3),
    Duration.ofMillis(10),
    Duration.ofMillis(30),
    Duration.ofMillis(100),
    Duration.ofMillis(300),
    Duration.ofSeconds(1),
    Duration.ofSeconds(3),
    Duration.ofSeconds(10)
  };

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final AtomicLong connections = new AtomicLong();

  /** Keeps suppliers alive, since the registry holds them weakly. */
  private final List<DoubleSupplier> counted = new CopyOnWriteArrayList<>();

  private final Counter accepted;
  private final Counter refused;
  private final Counter denied;
  private final Counter leaseConflicts;
  private final Counter leasesLost;
  private final AtomicLong cacheBytes = new AtomicLong();
  private final Counter readFromCache;
  private final Counter readFromVolumes;
  private final MultiGauge volumes;
  private final Map<String, Long> capacities = new TreeMap<>();
  private final JvmGcMetrics gc = new JvmGcMetrics();

  /** Creates metrics that are all zero. */
  public ServerMetrics() {
    Gauge.builder("roram.connections", connections, AtomicLong::get)
        .description("Connections that are open")
        .register(registry);
    accepted = counter("roram.connections.accepted", "Connections that were accepted");
    refused = counter("roram.connections.refused", "Connections refused: there were too many");
    denied = counter("roram.access.denied", "Clients without proof, or without a right");
    leaseConflicts = counter("roram.lease.conflicts", "Openings of a volume that another holds");
    leasesLost = counter("roram.lease.lost", "Requests with a lease that went to another client");
    Gauge.builder("roram.cache.held", cacheBytes, AtomicLong::get)
        .description("Memory that holds the top levels of trees")
        .baseUnit("bytes")
        .register(registry);
    readFromCache = readBytes("cache");
    readFromVolumes = readBytes("volume");
    volumes =
        MultiGauge.builder("roram.volume.capacity")
            .description("Size of a volume's address space")
            .baseUnit("bytes")
            .register(registry);
    new JvmMemoryMetrics().bindTo(registry);
    gc.bindTo(registry);
    new UptimeMetrics().bindTo(registry);
  }

  private Counter counter(String name, String description) {
    return Counter.builder(name).description(description).register(registry);
  }

  private Counter readBytes(String from) {
    return Counter.builder("roram.read")
        .description("What reads took from the memory for top levels, and from volumes")
        .baseUnit("bytes")
        .tags("from", from)
        .register(registry);
  }

  /** Adds a gauge, which is read whenever the metrics are. */
  public void gauge(String name, String description, DoubleSupplier value) {
    Gauge.builder(name, value::getAsDouble).description(description).register(registry);
  }

  /** Adds a counter, whose name gets {@code _total}; it only grows while this process lives. */
  public void count(String name, String description, DoubleSupplier value) {
    counted.add(value);
    FunctionCounter.builder(name, value, DoubleSupplier::getAsDouble)
        .description(description)
        .register(registry);
  }

  /** Adds the expiry of the server's certificates, and whether changed files were refused. */
  public void access(ReloadedAccess access) {
    gauge(
        "roram.access.files.refused",
        "1 while certificates, tokens or lists are refused as they are now, else 0",
        () -> access.isRefused() ? 1 : 0);
    if (access.sslContext() != null) {
      gauge(
          "roram.certificate.expiry.timestamp.seconds",
          "When the first of the server's certificates expires, in seconds since 1970",
          () -> access.expiry().getEpochSecond());
    }
  }

  @Override
  public synchronized void volumeOpened(String name, long capacityBytes) {
    capacities.put(name, capacityBytes);
    showVolumes();
  }

  @Override
  public synchronized void volumeDeleted(String name) {
    capacities.remove(name);
    showVolumes();
  }

  private void showVolumes() {
    volumes.register(
        capacities.entrySet().stream()
            .map(entry -> MultiGauge.Row.of(Tags.of("volume", entry.getKey()), entry.getValue()))
            .toList(),
        true);
  }

  @Override
  public void connectionOpened() {
    connections.incrementAndGet();
    accepted.increment();
  }

  @Override
  public void connectionClosed() {
    connections.decrementAndGet();
  }

  @Override
  public void connectionRefused() {
    refused.increment();
  }

  @Override
  public void accessDenied() {
    denied.increment();
  }

  @Override
  public void leaseConflict() {
    leaseConflicts.increment();
  }

  @Override
  public void leaseLost() {
    leasesLost.increment();
  }

  @Override
  public void cacheHolds(long bytes) {
    cacheBytes.set(bytes);
  }

  @Override
  public void partRead(long cachedBytes, long storeBytes) {
    readFromCache.increment(cachedBytes);
    readFromVolumes.increment(storeBytes);
  }

  @Override
  public void requestDone(String type, String outcome, long nanos, long bytesIn, long bytesOut) {
    Timer.builder("roram.requests")
        .description("Requests by type and outcome, and how long they took")
        .tags("type", type, "outcome", outcome)
        .serviceLevelObjectives(LATENCY_BUCKETS)
        .register(registry)
        .record(Duration.ofNanos(nanos));
    bytes("received", type).increment(bytesIn);
    bytes("sent", type).increment(bytesOut);
  }

  private Counter bytes(String direction, String type) {
    return Counter.builder("roram.bytes")
        .description("Payload of requests and answers")
        .baseUnit("bytes")
        .tags("direction", direction, "type", type)
        .register(registry);
  }

  /** Returns all metrics in the text format of Prometheus. */
  public String scrape() {
    return registry.scrape();
  }

  @Override
  public void close() {
    gc.close();
    registry.close();
  }
}
