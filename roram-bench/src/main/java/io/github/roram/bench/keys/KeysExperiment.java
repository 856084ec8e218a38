package io.github.roram.bench.keys;

import com.sun.management.OperatingSystemMXBean;
import io.github.roram.ClientBudget;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.bench.ResourceStack;
import io.github.roram.bench.experiment.Averages;
import io.github.roram.bench.experiment.Experiment.NamedExperiment;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.Job;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Table;
import io.github.roram.bench.report.Units;
import io.github.roram.client.Key;
import io.github.roram.client.Roram;
import io.github.roram.crypto.MasterKey;
import io.github.roram.map.EntryShape;
import io.github.roram.map.ObliviousMap;
import io.github.roram.storage.link.Link;
import io.github.roram.storage.link.LinkTime;
import io.github.roram.storage.link.SimulatedLinkStore;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Operations a second of a hashed map with the entries of Obladi's evaluation (Crooks and others,
 * OSDI 2018): 2 million of 160 bytes, of which half are read and half written, at random. The store
 * is in memory, or in files with durability {@code flush}, with two sizes of the client's memory;
 * or in files at the end of TaoStore's line, with ten clients. What an operation takes of the
 * processors depends less than its time on what else the machine does.
 */
public final class KeysExperiment extends NamedExperiment {

  static final String ID = "keys";

  private static final EntryShape SHAPE = new EntryShape(32, 128);
  private static final int BLOCK_BYTES = 2048;
  private static final String TREE = "roram";
  private static final String RING = "ring";
  private static final int CLIENTS_OF_LINE = 10;
  private static final Link LINE = Link.parse("12ms,11MB/s");

  /** Entries of a block on average: see {@link ObliviousMap#capacity}. */
  private static final int ENTRIES_OF_BLOCK = 6;

  private static final OpenOptions FILLING = OpenOptions.defaults().withDurability(Durability.NONE);

  private static final double WORK = 1e6;
  private static final double NANOS = 1e9;
  private static final double NANOS_OF_MICRO = 1e3;
  private static final double MEBIBYTE = 1 << 20;
  private static final String PROCESSOR_MICROS = "processorMicros";
  private static final String CLIENT_BYTES = "clientBytes";

  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  /** Where a store is. */
  private enum Medium {
    MEMORY("memory"),
    FILES("files, flush"),
    LINE("files, flush, at the end of a line of 12 ms and 11 MB/s");

    final String text;

    Medium(String text) {
      this.text = text;
    }
  }

  /**
   * A setting to measure.
   *
   * @param megabytes size of the treetop; for a ring, of all of the client's memory
   * @param underWay number of concurrent operations
   */
  private record Entry(String id, Medium medium, String scheme, int megabytes, int underWay) {
    static final List<Entry> ALL =
        List.of(
            new Entry("memory-64", Medium.MEMORY, TREE, 64, 2),
            new Entry("memory-256", Medium.MEMORY, TREE, 256, 2),
            new Entry("memory-ring-64", Medium.MEMORY, RING, 64, 2),
            new Entry("memory-ring-256", Medium.MEMORY, RING, 256, 2),
            new Entry("flush-64", Medium.FILES, TREE, 64, OpenOptions.MAX_IN_FLIGHT),
            new Entry("flush-256", Medium.FILES, TREE, 256, OpenOptions.MAX_IN_FLIGHT),
            new Entry("line-64", Medium.LINE, TREE, 64, CLIENTS_OF_LINE),
            new Entry("line-ring-64", Medium.LINE, RING, 64, CLIENTS_OF_LINE));

    OramConfig config(long entries) {
      OramConfig.Builder builder =
          OramConfig.builder(2 + entries / ENTRIES_OF_BLOCK)
              .scheme(scheme)
              .blockBytes(BLOCK_BYTES)
              .maxRangeBlocks(2);
      long bytes = (long) megabytes << 20;
      return scheme.equals(RING)
          ? builder.clientMemory(new ClientBudget(bytes, options())).build()
          : builder.trees(0).treetopBytes(bytes).build();
    }

    OpenOptions options() {
      return OpenOptions.defaults()
          .withInFlight(underWay)
          .withDurability(isKept() ? Durability.FLUSH : Durability.NONE);
    }

    /** Returns whether the store lasts: one in memory cannot be opened again. */
    boolean isKept() {
      return medium != Medium.MEMORY;
    }

    /** Opens what was filled, over the line if there is one. */
    Oram open(Roram store, ResourceStack resources) throws IOException {
      Roram place = store.options(options());
      if (medium == Medium.LINE) {
        LinkTime time = resources.push(new LinkTime.RealTime());
        place = place.through(near -> new SimulatedLinkStore(near, LINE, time));
      }
      return resources.push(place.open());
    }
  }

  /** A published figure, of other machines and with other promises. */
  private record Peer(String name, String what, String rate) {
    static final List<Peer> ALL =
        List.of(
            new Peer("Obladi", "OSDI 2018: transactions on a ring, in epochs", "6,700"),
            new Peer("Treebeard", "USENIX Security 2025: one machine", "10,000"));
  }

  /** Creates the experiment, for {@link java.util.ServiceLoader}. */
  public KeysExperiment() {
    super(ID, "operations a second of a map of 2 million entries (with --device measured)");
  }

  @Override
  public Set<String> choices() {
    return Entry.ALL.stream().map(Entry::id).collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public List<Job> jobs(ExperimentOptions options, int run) {
    List<Job> jobs = new ArrayList<>();
    if (!options.isMeasured()) {
      return jobs;
    }
    long entries = options.scale().pick(1000L, 100_000L, 2_000_000L, 2_000_000L);
    int seconds = options.scale().pick(1, 10, 20, 60);
    for (Entry entry : Entry.ALL) {
      OramConfig config = entry.config(entries);
      Point.Key key = options.key(ID, true, entry.id, Long.toString(entries), run, config, seconds);
      jobs.add(
          Job.alone(key, WORK, alive -> measure(entry, key, entries, options.directory(), alive)));
    }
    return jobs;
  }

  private static Point measure(
      Entry entry, Point.Key key, long entries, Path directory, Runnable alive) throws IOException {
    Files.createDirectories(directory);
    Path scratch = Files.createTempDirectory(directory.toAbsolutePath(), ID);
    try (ResourceStack resources = new ResourceStack();
        MasterKey masterKey = MasterKey.generate()) {
      resources.push(() -> ResourceStack.deleteTree(scratch));
      Roram store =
          Roram.at(entry.isKept() ? "file:" + scratch.resolve("store") : "mem:")
              .key(Key.of(masterKey));
      // Filled as fast as can be.
      Oram oram =
          store.options(entry.isKept() ? FILLING : entry.options()).create(entry.config(entries));
      resources.push(oram);
      ObliviousMap map = ObliviousMap.create(oram, SHAPE);
      new MapLoad(map, entry.isKept() ? 1 : entry.underWay, entries, alive).fill();
      if (entry.isKept()) {
        oram.close();
        oram = entry.open(store, resources);
        map = ObliviousMap.open(oram);
      }
      MapLoad load = new MapLoad(map, entry.underWay, entries, alive);
      // As long as the measurement, for the compiler.
      load.run(key.amount());
      oram.flush();
      long begin = System.nanoTime();
      long processor = SYSTEM.getProcessCpuTime();
      long done = load.run(key.amount());
      oram.flush();
      double seconds = (System.nanoTime() - begin) / NANOS;
      double micros = (SYSTEM.getProcessCpuTime() - processor) / NANOS_OF_MICRO;
      double held = oram.clientMemory().bytes();
      return Point.counted(key, done, 2 * done, seconds, Map.of())
          .withFigures(Map.of(PROCESSOR_MICROS, micros, CLIENT_BYTES, held));
    }
  }

  /** Operations, with this many in flight. */
  private static final class MapLoad {
    private final ObliviousMap map;
    private final Semaphore room;
    private final int underWay;
    private final long entries;
    private final Runnable alive;
    private final SplittableRandom random = new SplittableRandom(1);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    MapLoad(ObliviousMap map, int underWay, long entries, Runnable alive) {
      this.map = map;
      this.underWay = underWay;
      this.entries = entries;
      this.alive = alive;
      room = new Semaphore(underWay);
    }

    void fill() throws IOException {
      for (long entry = 0; entry < entries; entry++) {
        operation(entry, true);
      }
      await();
    }

    /** Runs for {@code seconds} seconds; returns the number of operations. */
    long run(long seconds) throws IOException {
      long end = System.nanoTime() + (long) (seconds * NANOS);
      long done = 0;
      for (; System.nanoTime() < end; done++) {
        operation(random.nextLong(entries), random.nextBoolean());
      }
      await();
      return done;
    }

    private void operation(long entry, boolean writes) {
      byte[] key = ByteBuffer.allocate(SHAPE.keyBytes()).putLong(0, entry).array();
      byte[] value = new byte[SHAPE.valueBytes()];
      room.acquireUninterruptibly();
      if (random.nextInt(1 << 14) == 0) {
        alive.run();
      }
      CompletableFuture<Optional<byte[]>> unused =
          map.updateAsync(key, before -> writes ? value : before)
              .whenComplete(
                  (before, failed) -> {
                    if (failed != null) {
                      failure.set(failed);
                    }
                    room.release();
                  });
    }

    private void await() throws IOException {
      room.acquireUninterruptibly(underWay);
      room.release(underWay);
      Throwable failed = failure.get();
      if (failed != null) {
        throw new IOException(
            "an operation of the map failed: " + failed, new CompletionException(failed));
      }
    }
  }

  @Override
  public List<Output> outputs() {
    return List.of(
        Output.table(
                TableStyle.open(
                    ID,
                    "Operations of a map",
                    "Half of them reads and half writes, of random keys; each is one access to two"
                        + " blocks of 2 KB. The client's memory is what it holds at the end. The"
                        + " peers' figures are those that they published, of their machines."),
                results -> table(results.measured()))
            .unlessEmpty(Results::measured));
  }

  private static List<String> row(Averages.PointPlace place, List<Point> runs) {
    Entry entry =
        Entry.ALL.stream()
            .filter(each -> each.id.equals(place.contender()))
            .findFirst()
            .orElseThrow();
    return List.of(
        entry.id,
        entry.medium.text
            + (entry.scheme.equals(RING) ? ", ring in " : ", treetop of ")
            + entry.megabytes
            + " MiB, "
            + entry.underWay
            + " under way",
        place.x(),
        Units.number(Averages.mean(runs, p -> p.figure(CLIENT_BYTES)) / MEBIBYTE),
        Units.number(Averages.mean(runs, p -> p.figure(PROCESSOR_MICROS) / p.queries())),
        Units.number(Averages.mean(runs, p -> p.queries() / p.seconds())));
  }

  private static Table table(List<Point> points) {
    List<List<String>> rows = Averages.rows(points, KeysExperiment::row);
    for (Peer peer : Peer.ALL) {
      rows.add(List.of(peer.name, peer.what, "", "", "", peer.rate));
    }
    return new Table(
        List.of(
            "map",
            "what it is",
            "entries",
            "client's MiB",
            "us of processors an operation",
            "operations a second"),
        rows);
  }
}
