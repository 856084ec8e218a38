package io.github.roram.bench.experiment;

import io.github.roram.OramConfig;
import io.github.roram.OramStats.TreeStats;
import io.github.roram.bench.experiment.Experiment.NamedExperiment;
import io.github.roram.bench.experiment.MapsExperiment.MapLookUps.NaiveMaps;
import io.github.roram.bench.experiment.RangeJobs.RangeLoad;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Series;
import io.github.roram.bench.report.Table;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.pattern.PatternOram;
import io.github.roram.storage.device.CountingStore;
import io.github.roram.storage.device.IoCounts;
import io.github.roram.store.IoPhase;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What look-ups cost an access: one position map for all trees against the naive one, a map for
 * each tree (rORAM, §IV-D and Table I). Counted without data; a tree for each size class, no client
 * memory, so that the exponents show.
 */
public final class MapsExperiment extends NamedExperiment {

  static final String ID = "maps";
  static final String FITS = "maps-fits";
  static final String COUNTS = "maps-counts";

  private static final String SEEKS = "Seeks";
  private static final String REQUESTS = "Requests";
  private static final String BYTES = "Bytes";

  private static final List<String> FIT_COLUMNS =
      List.of("map", "cost", "range", "exponent", "95 % interval", "R2", "§IV-D, Table I");
  private static final List<String> COUNT_COLUMNS =
      List.of("map", "blocks", "range", "seeks", "requests", "KB", "of all seeks", "of all bytes");
  private static final int BLOCKS_PER_RANGE = 16;
  private static final int MOST_RANGE = 1 << 8;
  private static final double WORK_OF_ACCESS = 200;

  /** Blocks of few labels, for the exponents, and those that are the default. */
  private static final List<Form> FORMS = List.of(new Form(4, 4), new Form(64, 1024));

  /** How deep a map recurses. */
  private record Form(int fan, int clientLabels) {
    String id(boolean naive) {
      return (naive ? "map-for-each-tree-" : "one-map-") + fan;
    }
  }

  /**
   * The maps to look up labels in; the naive ones are next to an ORAM of which only the data is
   * counted.
   */
  private record Maps(MapLookUps oram, List<NaiveMaps> naive) implements Closeable {
    void access(long block, int count, boolean write) throws IOException {
      oram.access(block, count, write);
      for (NaiveMaps each : naive) {
        each.access(block, count);
      }
    }

    void reset() {
      oram.reset();
      naive.forEach(NaiveMaps::reset);
    }

    IoCounts map() {
      return naive.isEmpty() ? oram.map() : naive.get(0).map();
    }

    @Override
    public void close() throws IOException {
      oram.close();
      for (NaiveMaps each : naive) {
        each.close();
      }
    }
  }

  /** Creates the experiment, for {@link java.util.ServiceLoader}. */
  public MapsExperiment() {
    super(ID, "look-ups in one position map on the store, or in one for each tree");
  }

  @Override
  public Set<String> choices() {
    return FORMS.stream()
        .flatMap(form -> List.of(form.id(false), form.id(true)).stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public List<Job> jobs(ExperimentOptions options, int run) {
    List<Job> jobs = new ArrayList<>();
    if (!options.isModelled()) {
      return jobs;
    }
    List<Integer> small = List.of(10, 12, 14, 16, 18);
    for (Form form : FORMS) {
      for (boolean naive : new boolean[] {false, true}) {
        for (int exponent : options.scale().pick(List.of(8, 9, 10), small, small, small)) {
          jobs.add(job(options, form, naive, run, exponent));
        }
      }
    }
    return jobs;
  }

  private static OramConfig config(Form form, int exponent) {
    long blocks = 1L << exponent;
    int maxRange = (int) Math.min(MOST_RANGE, blocks / BLOCKS_PER_RANGE);
    OramConfig.Builder builder = OramConfig.builder(blocks).maxRangeBlocks(maxRange);
    int[] classes = TreeParameters.of(builder.build()).sizeClasses();
    return builder
        .sizeClasses(classes)
        .treetopBytes(0)
        .windowBlocks(0)
        .chunkPaths(2 * maxRange)
        .positionMap("recursive")
        .set("blocksPerMapBlock", form.fan())
        .set("clientLabels", form.clientLabels())
        .build();
  }

  private static Job job(
      ExperimentOptions options, Form form, boolean naive, int run, int exponent) {
    OramConfig config = config(form, exponent);
    Job.Builder<Maps> job =
        Job.on(config.blocks() * WORK_OF_ACCESS / form.fan(), alive -> open(config, naive, alive));
    int accesses = options.scale().pick(50, 400, 400, 400);
    for (int range : new int[] {0, 4}) {
      Point.Key key =
          options.key(
              ID, false, form.id(naive), "n" + exponent + "r" + range, run, config, accesses);
      job.step(
          key,
          accesses * WORK_OF_ACCESS,
          (maps, alive) -> measure(key, maps, config, 1 << range, alive));
    }
    return job.build();
  }

  private static Maps open(OramConfig config, boolean naive, Runnable alive) throws IOException {
    MapLookUps oram = MapLookUps.open(config, alive);
    return new Maps(oram, naive ? List.of(NaiveMaps.open(config, alive)) : List.of());
  }

  private static Point measure(
      Point.Key key, Maps maps, OramConfig config, int rangeBlocks, Runnable alive)
      throws IOException {
    Random random = new Random(key.run() * 31L + rangeBlocks);
    maps.reset();
    RangeLoad.access(config, rangeBlocks, key.amount(), random, alive, maps::access);
    Map<String, Double> figures = new HashMap<>();
    put(figures, "map", maps.map());
    put(figures, "all", maps.map().plus(maps.oram().data()));
    return Point.counted(key, key.amount(), key.amount() * rangeBlocks, 0, Map.of())
        .withFigures(figures);
  }

  private static void put(Map<String, Double> figures, String part, IoCounts counts) {
    figures.put(part + SEEKS, (double) counts.seeks());
    figures.put(part + REQUESTS, (double) counts.requests());
    figures.put(part + BYTES, (double) counts.bytes());
  }

  @Override
  public List<Output> outputs() {
    return List.of(
        Output.figure(
            new FigureStyle(
                "maps-n",
                "Look-ups of an access of 2^4 blocks",
                "Table I",
                "Device (2^x blocks)",
                "Count per access",
                FigureStyle.Kind.LOGARITHMIC_CURVES),
            // Bytes have the curves of seeks.
            results ->
                Stream.of(SEEKS, REQUESTS)
                    .flatMap(cost -> curves(results.points(), "r4", cost).stream())
                    .toList()),
        Output.table(
            TableStyle.open(
                FITS,
                "Look-ups in one map, and in one for each tree",
                "Exponents by least squares on logarithms: cost = a·(log N)^b. A tree for each size"
                    + " class up to ranges of N/16, 2^8 at most; 4 or 64 blocks in a map block."),
            results -> new Table(FIT_COLUMNS, fits(results.points()))),
        Output.table(
            TableStyle.folded(COUNTS, "Look-ups, all counts", "Per access, the map's part alone."),
            results ->
                new Table(COUNT_COLUMNS, Averages.rows(results.points(), MapsExperiment::counts))));
  }

  /** Returns what a map's part of an access costs, against N. */
  private static List<Series> curves(List<Point> points, String range, String cost) {
    List<Point> of = points.stream().filter(p -> p.key().x().endsWith(range)).toList();
    return Averages.series(cost.toLowerCase(Locale.ROOT), of, each("map" + cost)).stream()
        .map(row -> row.at(number(row.x())))
        .toList();
  }

  private static ToDoubleFunction<Point> each(String figure) {
    return point -> point.figure(figure) / point.queries();
  }

  /** Returns the exponent of N in "n10r4". */
  private static String number(String x) {
    return x.substring(1, x.indexOf('r'));
  }

  /** Returns the fits; a small store, whose labels the client holds, has none. */
  private static List<List<String>> fits(List<Point> points) {
    List<List<String>> rows = new ArrayList<>();
    for (String range : List.of("r0", "r4")) {
      for (String cost : List.of(SEEKS, REQUESTS, BYTES)) {
        Averages.fits(curves(points, range, cost), Double::parseDouble)
            .forEach(
                (map, fit) -> {
                  List<String> row = new ArrayList<>(List.of(map, cost.toLowerCase(Locale.ROOT)));
                  row.add("2^" + range.substring(1));
                  row.addAll(fit.cells());
                  row.add(expected(map, cost));
                  rows.add(row);
                });
      }
    }
    return rows;
  }

  /**
   * Returns the expected growth: one recursion makes log N requests of log N seeks each; a map for
   * each tree makes that log N times.
   */
  private static String expected(String map, String cost) {
    int exponent = cost.equals(REQUESTS) ? 1 : 2;
    return String.valueOf(map.startsWith("one-map") ? exponent : exponent + 1);
  }

  private static List<String> counts(Averages.PointPlace place, List<Point> runs) {
    String x = place.x();
    return List.of(
        place.contender(),
        "2^" + number(x),
        "2^" + x.substring(x.indexOf('r') + 1),
        mean(runs, each("mapSeeks"), "%.1f"),
        mean(runs, each("mapRequests"), "%.1f"),
        mean(runs, point -> each("mapBytes").applyAsDouble(point) / 1e3, "%.1f"),
        mean(runs, share(SEEKS), "%.2f"),
        mean(runs, share(BYTES), "%.3f"));
  }

  private static ToDoubleFunction<Point> share(String cost) {
    return point -> point.figure("map" + cost) / point.figure("all" + cost);
  }

  private static String mean(List<Point> runs, ToDoubleFunction<Point> value, String format) {
    return String.format(Locale.ROOT, format, Averages.mean(runs, value));
  }

  /**
   * An ORAM without data whose position map is on the store, and what its map costs apart from the
   * rest. Not thread safe.
   */
  static final class MapLookUps implements Closeable {

    private final PatternOram oram;
    private final CountingStore store;
    private final int dataTrees;

    private MapLookUps(PatternOram oram, CountingStore store) {
      this.oram = oram;
      this.store = store;
      dataTrees = TreeParameters.of(oram.config()).trees().length;
    }

    /**
     * Opens an ORAM that is completely written, including its map.
     *
     * @param config configuration with a recursive position map
     */
    static MapLookUps open(OramConfig config, Runnable alive) throws IOException {
      CountingStore[] counting = new CountingStore[1];
      PatternOram oram =
          PatternOram.create(config, store -> counting[0] = new CountingStore(store));
      oram.fill(bytes -> alive.run());
      MapLookUps made = new MapLookUps(oram, counting[0]);
      made.writeMapAllOver(alive);
      return made;
    }

    /**
     * Writes the map, because a bulk load does not, and buckets that were never written are not
     * requested.
     */
    private void writeMapAllOver(Runnable alive) throws IOException {
      Random random = new Random(1);
      int count = oram.config().maxRangeBlocks();
      int places = (int) (oram.config().blocks() - count + 1);
      while (oram.stats().trees().stream().anyMatch(MapLookUps::isNew)) {
        oram.access(random.nextInt(places), count, false);
        alive.run();
      }
    }

    private static boolean isNew(TreeStats tree) {
      return tree.isMap() && tree.evictions() < 1L << tree.height();
    }

    void access(long block, int count, boolean write) throws IOException {
      oram.access(Math.min(block, oram.config().blocks() - count), count, write);
    }

    void reset() {
      store.reset();
    }

    /** Returns what the trees of the map were asked for. */
    IoCounts map() {
      return sum(true);
    }

    /** Returns what the trees of data were asked for. */
    IoCounts data() {
      return sum(false);
    }

    private IoCounts sum(boolean ofMap) {
      IoCounts sum = IoCounts.ZERO;
      for (Map.Entry<Integer, Map<IoPhase, IoCounts>> tree : store.byTree().entrySet()) {
        if (tree.getKey() >= 0 && tree.getKey() >= dataTrees == ofMap) {
          for (IoCounts counts : tree.getValue().values()) {
            sum = sum.plus(counts);
          }
        }
      }
      return sum;
    }

    @Override
    public void close() throws IOException {
      oram.close();
    }

    /**
     * The naive position map of rORAM (§IV-D): each tree has a recursive map of its own, and every
     * access looks up and updates all of them, since the blocks that it read enter all trees. It
     * exists to be compared with, counts alone, and no store can be made with it.
     *
     * <p>The map of the tree of ranges of 2^t is that of an ORAM of N / 2^t blocks with one tree;
     * of these ORAMs only the maps are counted. Trees whose labels the client could hold have none.
     *
     * <p>Not thread safe.
     */
    static final class NaiveMaps implements Closeable {

      /** The map of a tree. */
      private record OfTree(int exponent, MapLookUps lookUps) {}

      private final List<OfTree> maps = new ArrayList<>();

      private NaiveMaps() {}

      /**
       * Returns the maps of the trees of a configuration, written all over.
       *
       * @param config with a recursive position map
       */
      static NaiveMaps open(OramConfig config, Runnable alive) throws IOException {
        NaiveMaps made = new NaiveMaps();
        boolean done = false;
        try {
          TreeParameters parameters = TreeParameters.of(config);
          for (int exponent : parameters.trees()) {
            long ranges = ((config.blocks() - 1) >> exponent) + 1;
            if (ranges > parameters.mapForm().clientLabels()) {
              OramConfig ofTree = ofTree(config, parameters, exponent, ranges);
              made.maps.add(new OfTree(exponent, MapLookUps.open(ofTree, alive)));
            }
          }
          done = true;
          return made;
        } finally {
          if (!done) {
            made.close();
          }
        }
      }

      private static OramConfig ofTree(
          OramConfig config, TreeParameters parameters, int exponent, long ranges) {
        int most = Math.max(2, config.maxRangeBlocks() >> exponent);
        return OramConfig.builder(ranges)
            .blockBytes(config.blockBytes())
            .maxRangeBlocks((int) Math.min(most, ranges))
            .trees(0)
            .treetopBytes(0)
            .windowBlocks(0)
            .chunkPaths(parameters.chunkPaths())
            .positionMap("recursive")
            .set("blocksPerMapBlock", parameters.mapForm().blocksPerMapBlock())
            .set("clientLabels", parameters.mapForm().clientLabels())
            .build();
      }

      /** Looks up and updates the labels that the blocks have in every tree. */
      void access(long block, int count) throws IOException {
        for (OfTree map : maps) {
          map.lookUps().access(block >> map.exponent(), labels(map.exponent(), count), false);
        }
      }

      /**
       * Returns how many labels to ask for: as many look-ups as those of all ranges that {@code
       * count} blocks can lie in, 2^(i−t) + 1, since 2^j and 2^j + 1 labels touch as many map
       * blocks from j = 1 on.
       */
      private static int labels(int exponent, int count) {
        return exponent == 0 || count == 1 ? count : Math.max(2, count >> exponent);
      }

      void reset() {
        maps.forEach(map -> map.lookUps().reset());
      }

      /** Returns what the maps were asked for. */
      IoCounts map() {
        return maps.stream().map(map -> map.lookUps().map()).reduce(IoCounts.ZERO, IoCounts::plus);
      }

      @Override
      public void close() throws IOException {
        for (OfTree map : maps) {
          map.lookUps().close();
        }
      }
    }
  }
}
