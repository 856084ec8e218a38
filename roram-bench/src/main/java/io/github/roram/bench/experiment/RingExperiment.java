package io.github.roram.bench.experiment;

import io.github.roram.ClientBudget;
import io.github.roram.ClientMemory;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.contender.Contender.Traits;
import io.github.roram.bench.experiment.Experiment.NamedExperiment;
import io.github.roram.bench.experiment.RangeJobs.Place;
import io.github.roram.bench.experiment.RangeJobs.RangeLoad;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Table;
import io.github.roram.bench.report.Units;
import io.github.roram.open.Orams;
import io.github.roram.pattern.PatternOram;
import io.github.roram.storage.device.DeviceModel;
import io.github.roram.storage.device.StripeCounts;
import io.github.roram.storage.link.Link;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The ring of large buckets next to Path ORAM, to one tree of single blocks and to TaORAM, all with
 * the same client memory, everything that a client holds counted: what they move for a block, what
 * that takes on modelled devices, and how many requests ten clients are answered over a line.
 */
public final class RingExperiment extends NamedExperiment {

  static final String ID = "ring";
  static final String LINE = "ring-line";
  static final String DISK = "ring-disk";

  private static final List<String> COLUMNS =
      List.of(
          "blocks",
          "memory MB",
          "scheme",
          "held MB",
          "range",
          "blocks a block",
          "seeks",
          "hdd ms",
          "ssd ms",
          "network ms",
          "wan ms",
          "path / this on ssd, network");
  private static final List<String> LINE_COLUMNS =
      List.of("blocks", "MB/s", "clients", "scheme", "requests a second", "mean ms", "99 % ms");
  private static final List<String> DISK_COLUMNS =
      List.of("blocks", "memory MB", "disk MB", "scheme", "blocks a block", "by XOR", "seeks");
  private static final String RATE = "perSecond";
  private static final String MEAN = "meanMs";
  private static final String SLOWEST = "slowMs";
  private static final String FAR_BLOCKS = "farBlocks";
  private static final String FAR_BY_XOR = "farByXor";
  private static final String FAR_SEEKS = "farSeeks";

  /**
   * Disk sizes for a store with fan-out 4, in percent: nothing, and room for all levels but the
   * lowest three, two, one.
   */
  private static final List<Long> DISK_PERCENT = List.of(0L, 2L, 8L, 30L);

  private static final int MOST_RANGE = 1 << 8;
  private static final int MEGABYTE = 1_000_000;
  private static final int BLOCK_BYTES = 4096;
  private static final int LINE_MEGABYTES = 64;
  private static final long ROUND_TRIP_NANOS = 12_000_000;

  /** Some tens of evictions of the longest kind. */
  private static final Traits SLOTS = new Traits(false, false, false, 1 << 15, 40, 0);

  /** A client's memory and a store. */
  private record Setting(int exponent, int megabytes) {
    String x(int rangeExponent) {
      return exponent + " " + megabytes + " " + rangeExponent;
    }

    long bytes() {
      return (long) megabytes * MEGABYTE;
    }
  }

  /** A scheme to compare. */
  private record Entry(String id, String scheme, Traits traits, int look) {
    static final Entry PATH = new Entry("path", "path", Traits.BLOCKS, 2);
    static final Entry TAO = new Entry("tao", "tao", SLOTS, 3);
    static final Entry TREES = new Entry("trees-0", "roram", Traits.BLOCKS_IN_CHUNKS, 4);
    static final Entry RING = new Entry(ID, ID, SLOTS, 1);
    static final List<Entry> ALL = List.of(PATH, TAO, TREES, RING);

    static Entry of(String id) {
      return ALL.stream().filter(entry -> entry.id.equals(id)).findFirst().orElseThrow();
    }

    /**
     * Returns a configuration whose client holds at most {@code bytes} bytes; data that is counted
     * is not stored.
     */
    OramConfig config(long blocks, int maxRange, long bytes, int inFlight) {
      OramConfig.Builder builder =
          OramConfig.builder(blocks)
              .scheme(scheme)
              .maxRangeBlocks(maxRange)
              .clientMemory(new ClientBudget(bytes, opening(inFlight)));
      return (equals(TREES) ? builder.trees(0) : builder).build();
    }

    Contender contender(Setting setting) {
      return new Contender(
          id,
          "scheme " + scheme + " within " + setting.megabytes + " MB",
          look,
          traits,
          device -> config(device.blocks(), device.maxRangeBlocks(), setting.bytes(), 1));
    }
  }

  /** Creates the experiment, for {@link java.util.ServiceLoader}. */
  public RingExperiment() {
    super(ID, "the ring of large buckets, and others with as much client memory");
  }

  @Override
  public Set<String> choices() {
    return Entry.ALL.stream().map(Entry::id).collect(Collectors.toSet());
  }

  private static List<Setting> settings(ExperimentOptions options) {
    List<Setting> small = List.of(new Setting(18, 16), new Setting(18, 64));
    List<Setting> large = List.of(new Setting(22, 64), new Setting(22, 256), new Setting(24, 256));
    return options
        .scale()
        .pick(List.of(new Setting(12, 8)), small, List.of(new Setting(20, 64)), large);
  }

  @Override
  public List<Job> jobs(ExperimentOptions options, int run) {
    List<Job> jobs = new ArrayList<>();
    if (!options.isModelled()) {
      return jobs;
    }
    RangeJobs ranges = new RangeJobs(ID, options);
    for (Setting setting : settings(options)) {
      for (Entry entry : Entry.ALL) {
        Contender contender = entry.contender(setting);
        OramConfig config = contender.config(1L << setting.exponent, MOST_RANGE);
        List<Place> places =
            List.of(new Place(setting.x(0), 1), new Place(setting.x(8), MOST_RANGE));
        jobs.add(ranges.modelled(contender, config, run, places));
      }
    }
    addDisks(jobs, options, run);
    addLines(jobs, options, run);
    return jobs;
  }

  /** Stores far away whose top levels are on the client's own disk. */
  private static void addDisks(List<Job> jobs, ExperimentOptions options, int run) {
    int accesses = SLOTS.leastBlocks();
    List<Setting> settings =
        options
            .scale()
            .pick(
                List.of(new Setting(16, 16)),
                List.of(new Setting(18, 16)),
                List.of(new Setting(22, 64)),
                List.of(new Setting(22, 64), new Setting(24, 256)));
    for (Setting setting : settings) {
      OramConfig config = Entry.RING.config(1L << setting.exponent, 1, setting.bytes(), 1);
      long store = Orams.storeBytes(config) / MEGABYTE;
      for (long percent : DISK_PERCENT) {
        long megabytes = store * percent / 100;
        String x = "2^" + setting.exponent + " " + setting.megabytes + " " + megabytes;
        Point.Key key = options.key(DISK, false, ID, x, run, config, accesses);
        double work = 2.0 * config.blocks() + 4.0 * accesses;
        jobs.add(Job.alone(key, work, alive -> far(key, config, megabytes, accesses, alive)));
      }
    }
  }

  private static Point far(
      Point.Key key, OramConfig config, long megabytes, int accesses, Runnable alive)
      throws IOException {
    StripeCounts[] counting = new StripeCounts[1];
    int stripes = megabytes == 0 ? 1 : 2;
    try (PatternOram oram =
        PatternOram.createAsWritten(
            config,
            store -> counting[0] = new StripeCounts(store, stripes, megabytes * MEGABYTE))) {
      StripeCounts counts = counting[0];
      Random random = new Random(key.run());
      RangeLoad.access(config, 1, accesses / 8, random, alive, oram::access);
      counts.reset();
      RangeLoad.access(config, 1, accesses, random, alive, oram::access);
      double blocks = counts.bytes(stripes - 1) / (double) BLOCK_BYTES;
      double saved = counts.savedByXor(stripes - 1) / (double) BLOCK_BYTES;
      double seeks = counts.seeks(stripes - 1);
      return Point.counted(key, accesses, accesses, 0, Map.of())
          .withFigures(
              Map.of(
                  FAR_BLOCKS, blocks / accesses,
                  FAR_BY_XOR, (blocks - saved) / accesses,
                  FAR_SEEKS, seeks / accesses));
    }
  }

  /** TaoStore's line, its blocks and more of them. */
  private static void addLines(List<Job> jobs, ExperimentOptions options, int run) {
    long requests = options.scale().pick(200L, 4000L, 4000L, 10_000L);
    List<Long> stores = List.of(244_140L, 1L << 22);
    for (long blocks : options.scale().pick(List.of(4000L), stores.subList(0, 1), stores, stores)) {
      for (int rate : new int[] {11, 125}) {
        for (int clients : new int[] {1, 10, 20}) {
          for (Entry entry : List.of(Entry.TAO, Entry.TREES, Entry.RING)) {
            OramConfig config = entry.config(blocks, 1, (long) LINE_MEGABYTES * MEGABYTE, clients);
            long bytes = (long) rate * MEGABYTE;
            Link link = new Link(ROUND_TRIP_NANOS, bytes, bytes);
            ClosedLoop loop = new ClosedLoop(config, clients, link, OptionalLong.empty(), requests);
            jobs.add(line(options, entry, blocks + " " + rate + " " + clients, loop, run));
          }
        }
      }
    }
  }

  private static Job line(
      ExperimentOptions options, Entry entry, String x, ClosedLoop loop, int run) {
    Point.Key key = options.key(LINE, false, entry.id, x, run, loop.config(), loop.requests());
    return loop.job(
        key,
        run,
        result ->
            Map.of(
                RATE, result.perSecond(),
                MEAN, result.meanMillis(),
                SLOWEST, result.slowMillis()));
  }

  @Override
  public List<Output> outputs() {
    return List.of(
        Output.table(
            TableStyle.open(
                ID,
                "The ring of large buckets",
                "A block at random, or a range of 2^8, alternately read and written, on a full"
                    + " store. Each client holds no more than the memory named, all of it counted;"
                    + " none has a journal. Moved are sealed blocks down and up; times are"
                    + " modelled, for each block, one request after another."),
            results -> new Table(COLUMNS, counts(results.of(ID)))),
        Output.table(
            TableStyle.open(
                DISK,
                "With the top of the tree on the client's own disk",
                "What a random block moves between the client and the other stripe, if the first"
                    + " has the top levels that fit in so many MB of the client's disk. Sealed"
                    + " blocks down and up; then as a server moves them, which returns the XOR of"
                    + " what a read has there (44 bytes of each slot are not counted)."),
            results ->
                new Table(
                    DISK_COLUMNS,
                    rows(results.of(DISK), List.of(FAR_BLOCKS, FAR_BY_XOR, FAR_SEEKS)))),
        Output.table(
            TableStyle.open(
                LINE,
                "Clients at the end of a line",
                "12 ms, 64 MB of client memory in all, each client asks for a random block as soon"
                    + " as it was answered, in virtual time."),
            results ->
                new Table(LINE_COLUMNS, rows(results.of(LINE), List.of(RATE, MEAN, SLOWEST)))));
  }

  private static List<List<String>> counts(List<Point> points) {
    List<List<String>> rows = new ArrayList<>();
    Map<Averages.PointPlace, List<Point>> places = Averages.group(points);
    places.forEach(
        (place, runs) -> {
          String[] x = place.x().split(" ", -1);
          Setting setting = new Setting(Integer.parseInt(x[0]), Integer.parseInt(x[1]));
          List<Point> path =
              places.getOrDefault(new Averages.PointPlace(Entry.PATH.id, place.x()), List.of());
          List<String> row =
              new ArrayList<>(
                  List.of(
                      "2^" + x[0],
                      x[1],
                      place.contender(),
                      Units.number(held(place.contender(), setting)),
                      "2^" + x[2],
                      each(runs, point -> point.total().bytes() / (double) BLOCK_BYTES),
                      each(runs, point -> point.total().seeks())));
          for (DeviceModel device : DeviceModel.ALL) {
            row.add(Units.number(millis(device, runs)));
          }
          row.add(
              path.isEmpty()
                  ? ""
                  : ratio(DeviceModel.SSD, path, runs)
                      + ", "
                      + ratio(DeviceModel.NETWORK, path, runs));
          rows.add(row);
        });
    return rows;
  }

  /** Returns the megabytes that the client takes by its own account. */
  private static double held(String id, Setting setting) {
    Entry entry = Entry.of(id);
    OramConfig config = entry.config(1L << setting.exponent, MOST_RANGE, setting.bytes(), 1);
    return (double) held(config, 1) / MEGABYTE;
  }

  /** Returns options without a journal, and without the copy that a checkpoint makes. */
  private static OpenOptions opening(int inFlight) {
    return OpenOptions.defaults().withDurability(Durability.NONE).withInFlight(inFlight);
  }

  private static long held(OramConfig config, int inFlight) {
    return Scheme.of(config.scheme())
        .clientMemory(config, opening(inFlight))
        .map(ClientMemory::bytes)
        .orElse(Long.MAX_VALUE);
  }

  private static String each(List<Point> runs, ToDoubleFunction<Point> whole) {
    return Units.number(Averages.mean(runs, point -> whole.applyAsDouble(point) / point.blocks()));
  }

  private static double millis(DeviceModel device, List<Point> runs) {
    return Averages.mean(runs, point -> 1e3 * device.seconds(point.total()) / point.blocks());
  }

  private static String ratio(DeviceModel device, List<Point> path, List<Point> runs) {
    return Units.number(millis(device, path) / millis(device, runs));
  }

  /** Returns rows with some values of points, preceded by place and scheme. */
  private static List<List<String>> rows(List<Point> points, List<String> figures) {
    return Averages.rows(
        points,
        (place, runs) -> {
          List<String> row = new ArrayList<>(Arrays.asList(place.x().split(" ", -1)));
          row.add(place.contender());
          for (String figure : figures) {
            row.add(Units.number(Averages.mean(runs, point -> point.figure(figure))));
          }
          return row;
        });
  }
}
