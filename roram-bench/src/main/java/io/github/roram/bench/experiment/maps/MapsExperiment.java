package io.github.roram.bench.experiment.maps;

import io.github.roram.OramConfig;
import io.github.roram.bench.experiment.Experiment;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.Job;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.experiment.Subject;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Chapter;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.storage.device.IoCounts;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What look-ups cost an access: one position map for all trees against the naive one, a map for
 * each tree (rORAM, §IV-D and Table I). Counted without data; a tree for each size class, no client
 * memory, so that the exponents show.
 */
public final class MapsExperiment implements Experiment {

  static final String ID = "maps";
  static final String SEEKS = "Seeks";
  static final String REQUESTS = "Requests";
  static final String BYTES = "Bytes";

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

  /** What is looked up in; the naive maps stand beside an ORAM of which only data is counted. */
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

  /** Public for {@link java.util.ServiceLoader}. */
  public MapsExperiment() {}

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String help() {
    return "look-ups in one position map on the store, or in one for each tree";
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
    Maps[] open = new Maps[1];
    List<Job.Step> steps = new ArrayList<>();
    int accesses = options.scale().pick(50, 400, 400, 400);
    for (int range : new int[] {0, 4}) {
      Point.Key key =
          options.key(
              ID, false, form.id(naive), "n" + exponent + "r" + range, run, config, accesses);
      steps.add(
          new Job.Step(
              key,
              accesses * WORK_OF_ACCESS,
              (subject, alive) -> measure(key, open[0], config, 1 << range, alive)));
    }
    return new Job(
        config.blocks() * WORK_OF_ACCESS / form.fan(),
        alive -> {
          MapLookUps oram = MapLookUps.open(config, alive);
          open[0] = new Maps(oram, naive ? List.of(NaiveMaps.open(config, alive)) : List.of());
          return Subject.ofItsOwn(open[0]);
        },
        steps);
  }

  private static Point measure(
      Point.Key key, Maps maps, OramConfig config, int rangeBlocks, Runnable alive)
      throws IOException {
    Random random = new Random(key.run() * 31L + rangeBlocks);
    int places = (int) (config.blocks() - rangeBlocks + 1);
    maps.reset();
    for (int query = 0; query < key.amount(); query++) {
      maps.access(random.nextInt(places), rangeBlocks, query % 2 != 0);
      alive.run();
    }
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
  public void write(List<Point> points, ExperimentOptions options) throws IOException {
    new MapsResults(points).write(options.directory());
  }

  @Override
  public Chapter chapter() {
    return new Chapter(
        List.of(
            new FigureStyle(
                MapsResults.CURVES,
                "Look-ups of an access of 2^4 blocks",
                "Table I",
                "Device (2^x blocks)",
                "Count per access",
                FigureStyle.Kind.LOGARITHMIC_CURVES)),
        List.of(
            TableStyle.open(
                MapsResults.FITS,
                "Look-ups in one map, and in one for each tree",
                "Exponents by least squares on logarithms: cost = a·(log N)^b. A tree for each size"
                    + " class up to ranges of N/16, 2^8 at most; 4 or 64 blocks in a map block."),
            TableStyle.folded(
                MapsResults.COUNTS, "Look-ups, all counts", "Per access, the map's part alone.")));
  }
}
