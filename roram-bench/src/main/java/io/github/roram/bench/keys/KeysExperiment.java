package io.github.roram.bench.keys;

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
import java.io.IOException;
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
 * is in memory, or in files with durability {@code flush}, with two sizes of treetops.
 */
public final class KeysExperiment extends NamedExperiment {

  static final String ID = "keys";

  private static final EntryShape SHAPE = new EntryShape(32, 128);
  private static final int BLOCK_BYTES = 2048;

  /** Entries of a block on average: see {@link ObliviousMap#capacity}. */
  private static final int ENTRIES_OF_BLOCK = 6;

  private static final OpenOptions FILLING = OpenOptions.defaults().withDurability(Durability.NONE);

  private static final double WORK = 1e6;
  private static final double NANOS = 1e9;

  /** What is measured: where the store is, and how many operations are under way. */
  private record Entry(String id, boolean files, int treetopMegabytes, int underWay) {
    static final List<Entry> ALL =
        List.of(
            new Entry("memory-64", false, 64, 2),
            new Entry("memory-256", false, 256, 2),
            new Entry("flush-64", true, 64, OpenOptions.MAX_IN_FLIGHT),
            new Entry("flush-256", true, 256, OpenOptions.MAX_IN_FLIGHT));

    OramConfig config(long entries) {
      return OramConfig.builder(2 + entries / ENTRIES_OF_BLOCK)
          .blockBytes(BLOCK_BYTES)
          .maxRangeBlocks(2)
          .trees(0)
          .treetopBytes((long) treetopMegabytes << 20)
          .build();
    }

    OpenOptions options() {
      return OpenOptions.defaults()
          .withInFlight(underWay)
          .withDurability(files ? Durability.FLUSH : Durability.NONE);
    }
  }

  /** A published figure, of other machines and with other promises. */
  private record Peer(String name, String what, String rate) {
    static final List<Peer> ALL =
        List.of(
            new Peer("Obladi", "OSDI 2018: transactions on a ring, in epochs", "6,700"),
            new Peer("Treebeard", "USENIX Security 2025: one machine", "10,000"));
  }

  /** Public for {@link java.util.ServiceLoader}. */
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
          Roram.at(entry.files ? "file:" + scratch.resolve("store") : "mem:")
              .key(Key.of(masterKey));
      // Filled as fast as can be; what is in memory cannot be opened again.
      Oram oram =
          store.options(entry.files ? FILLING : entry.options()).create(entry.config(entries));
      resources.push(oram);
      ObliviousMap map = ObliviousMap.create(oram, SHAPE);
      new MapLoad(map, entry.files ? 1 : entry.underWay, entries, alive).fill();
      if (entry.files) {
        oram.close();
        oram = store.options(entry.options()).open();
        resources.push(oram);
        map = ObliviousMap.open(oram);
      }
      MapLoad load = new MapLoad(map, entry.underWay, entries, alive);
      // As long again as is measured: for the compiler.
      load.run(key.amount());
      oram.flush();
      long begin = System.nanoTime();
      long done = load.run(key.amount());
      oram.flush();
      double seconds = (System.nanoTime() - begin) / NANOS;
      return Point.counted(key, done, 2 * done, seconds, Map.of());
    }
  }

  /** Operations, so many under way at a time. */
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

    /** For so many seconds; returns how many operations were made. */
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
                        + " blocks of 2 KB. The peers' figures are those that they published, of"
                        + " their machines."),
                results -> table(results.measured()))
            .unlessEmpty(Results::measured));
  }

  private static Table table(List<Point> points) {
    List<List<String>> rows = new ArrayList<>();
    Averages.group(points)
        .forEach(
            (place, runs) -> {
              Entry entry =
                  Entry.ALL.stream()
                      .filter(each -> each.id.equals(place.contender()))
                      .findFirst()
                      .orElseThrow();
              double rate = Averages.estimate(runs, p -> p.queries() / p.seconds()).mean();
              rows.add(
                  List.of(
                      place.contender(),
                      (entry.files ? "files, flush" : "memory")
                          + ", treetop of "
                          + entry.treetopMegabytes
                          + " MiB, "
                          + entry.underWay
                          + " under way",
                      place.x(),
                      Units.number(rate)));
            });
    for (Peer peer : Peer.ALL) {
      rows.add(List.of(peer.name, peer.what, "", peer.rate));
    }
    return new Table(List.of("map", "what it is", "entries", "operations a second"), rows);
  }
}
