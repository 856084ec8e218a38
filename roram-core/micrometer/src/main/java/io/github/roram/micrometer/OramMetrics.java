package io.github.roram.micrometer;

import io.github.roram.Oram;
import io.github.roram.OramStats;
import io.github.roram.OramStats.TreeStats;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * Metrics of an ORAM and of its client's memory, for a registry of Micrometer.
 *
 * <pre>{@code
 * OramMetrics metrics = new OramMetrics(oram, Tags.of("store", "patients"));
 * metrics.bindTo(registry); // close it with the ORAM
 * }</pre>
 *
 * <table>
 * <caption>Meters; Prometheus has _ for each dot, and appends _total to counters</caption>
 * <tr><th>name</th><th>kind</th><th>what</th></tr>
 * <tr><td>roram.accesses</td><td>counter</td><td>accesses since the ORAM was opened</td></tr>
 * <tr><td>roram.accessed.blocks</td><td>counter</td><td>blocks that callers asked for</td></tr>
 * <tr><td>roram.evictions</td><td>counter, by tree</td><td>path evictions since creation</td></tr>
 * <tr><td>roram.padding.blocks</td><td>counter, by tree</td><td>blocks written because a backlog
 *     was full</td></tr>
 * <tr><td>roram.stash.blocks</td><td>gauge, by tree</td><td>blocks beyond the treetop</td></tr>
 * <tr><td>roram.stash.max.blocks</td><td>gauge, by tree</td><td>the most of them so far</td></tr>
 * <tr><td>roram.held.blocks</td><td>gauge, by tree</td><td>blocks in the client's memory</td></tr>
 * <tr><td>roram.client.memory.bytes</td><td>gauge</td><td>what the client holds in all</td></tr>
 * </table>
 *
 * <p>Registries hold the metrics weakly: keep a reference. The tag {@code tree} is the number of a
 * tree. When the ORAM is closed, values stay as they were. Reading them waits for an access in
 * flight.
 *
 * <p>Security: the metrics are counts, and none reveals an address. But {@code
 * roram.accessed.blocks} and the times of accesses show when and how much callers ask for; keep the
 * metrics on the trusted side.
 *
 * <p>Thread safety: safe.
 */
public final class OramMetrics implements MeterBinder, AutoCloseable {

  private final Oram oram;
  private final Tags tags;
  private final List<Bound> bound = new CopyOnWriteArrayList<>();
  private volatile OramStats last;
  private volatile long lastMemoryBytes;

  private record Bound(MeterRegistry registry, Meter meter) {}

  /** Creates the metrics of an open ORAM. */
  public OramMetrics(Oram oram) {
    this(oram, Tags.empty());
  }

  /**
   * Creates the metrics of an open ORAM, with tags.
   *
   * @param tags tags of all meters, which distinguish this ORAM from others
   */
  public OramMetrics(Oram oram, Iterable<Tag> tags) {
    this.oram = oram;
    this.tags = Tags.of(tags);
    last = oram.stats();
    lastMemoryBytes = oram.clientMemory().bytes();
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Binding binding = new Binding(registry);
    binding.counter("roram.accesses", "Accesses", OramStats::accesses);
    binding.counter("roram.accessed.blocks", "Blocks asked for", OramStats::blocksAccessed);
    for (int tree = 0; tree < last.trees().size(); tree++) {
      binding.bindTree(tree);
    }
    Gauge memory =
        Gauge.builder("roram.client.memory", this, OramMetrics::memoryBytes)
            .description("What the client holds in all")
            .baseUnit("bytes")
            .tags(tags)
            .register(registry);
    bound.add(new Bound(registry, memory));
  }

  /** Removes the meters from their registries. */
  @Override
  public void close() {
    for (Bound each : bound) {
      each.registry().remove(each.meter());
    }
    bound.clear();
  }

  private OramStats stats() {
    try {
      last = oram.stats();
    } catch (IllegalStateException e) {
      // Closed: the last ones stay.
    }
    return last;
  }

  private double memoryBytes() {
    try {
      lastMemoryBytes = oram.clientMemory().bytes();
    } catch (IllegalStateException e) {
      // As above.
    }
    return lastMemoryBytes;
  }

  /** The meters of one registry. */
  private final class Binding {

    private final MeterRegistry registry;

    Binding(MeterRegistry registry) {
      this.registry = registry;
    }

    void bindTree(int tree) {
      counter("roram.evictions", "Path evictions", tree, TreeStats::evictions);
      counter("roram.padding.blocks", "Blocks of full backlogs", tree, TreeStats::paddingBlocks);
      gauge("roram.stash.blocks", "Blocks beyond the treetop", tree, TreeStats::stashBlocks);
      gauge("roram.stash.max.blocks", "Most of them so far", tree, TreeStats::stashMaxBlocks);
      gauge("roram.held.blocks", "Blocks in the client's memory", tree, TreeStats::heldBlocks);
    }

    void counter(String name, String about, ToLongFunction<OramStats> count) {
      add(name, about, tags, metrics -> count.applyAsLong(metrics.stats()));
    }

    private void counter(String name, String about, int tree, ToLongFunction<TreeStats> count) {
      add(
          name,
          about,
          tagsOf(tree),
          metrics -> count.applyAsLong(metrics.stats().trees().get(tree)));
    }

    private void add(String name, String about, Tags of, ToDoubleFunction<OramMetrics> count) {
      FunctionCounter counter =
          FunctionCounter.builder(name, OramMetrics.this, count)
              .description(about)
              .tags(of)
              .register(registry);
      bound.add(new Bound(registry, counter));
    }

    private void gauge(String name, String about, int tree, ToLongFunction<TreeStats> value) {
      Gauge gauge =
          Gauge.builder(
                  name,
                  OramMetrics.this,
                  metrics -> value.applyAsLong(metrics.stats().trees().get(tree)))
              .description(about)
              .tags(tagsOf(tree))
              .register(registry);
      bound.add(new Bound(registry, gauge));
    }

    private Tags tagsOf(int tree) {
      return tags.and("tree", Integer.toString(tree));
    }
  }
}
