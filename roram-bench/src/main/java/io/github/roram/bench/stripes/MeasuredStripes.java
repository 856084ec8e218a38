package io.github.roram.bench.stripes;

import io.github.roram.OramConfig;
import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.experiment.Averages;
import io.github.roram.bench.experiment.Experiment.Output;
import io.github.roram.bench.experiment.Experiment.Results;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.Job;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.experiment.RangeLoad;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Series;
import io.github.roram.bench.report.Statistics.Estimate;
import io.github.roram.bench.report.Table;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.storage.link.Link;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * Accesses with data on one and two directories of this machine, past the page cache, and on one
 * and two block servers, each behind a line of its own.
 *
 * @param options of the experiment
 * @param run number of the run
 */
record MeasuredStripes(ExperimentOptions options, int run) {

  /**
   * Where the store is.
   *
   * @param servers on block servers, or in directories
   * @param stripes how many of them
   */
  record Layout(boolean servers, int stripes) {
    String id() {
      return kind() + "-" + stripes;
    }

    String kind() {
      return servers ? "servers" : "directories";
    }
  }

  /** What is compared. */
  static final List<Layout> LAYOUTS =
      List.of(new Layout(false, 1), new Layout(false, 2), new Layout(true, 1), new Layout(true, 2));

  /** The figure of accesses a second, and the table of two by one. */
  static final String RATES = "stripes-measured";

  static final String TABLE = "stripes-ratios";

  private static final List<String> COLUMNS =
      List.of("on", "range", "one, accesses a second", "two", "ratio", "95 % interval");
  private static final int LARGEST = 6;
  private static final int CHUNK_PATHS = 16;
  private static final double NANOS_PER_SECOND = 1e9;

  List<Job> jobs() {
    return LAYOUTS.stream().map(this::job).toList();
  }

  /** Short chunks, so that a few accesses are whole cycles of them. */
  private OramConfig config() {
    OramConfig.Builder builder =
        OramConfig.builder(options.scale().measuredBlocks())
            .maxRangeBlocks(1 << LARGEST)
            .treetopBytes(0)
            .chunkPaths(CHUNK_PATHS);
    TreeParameters parameters = TreeParameters.of(builder.build());
    return builder.windowBlocks(CHUNK_PATHS * parameters.evictionHalfBlocks() / 2).build();
  }

  /** The line before each server, the one of the experiments with a single server. */
  private Link link() {
    String wide = "12ms,11MB/s";
    return Link.parse(options.scale().pick("1ms,100MB/s", wide, wide, wide));
  }

  private Job job(Layout layout) {
    OramConfig config = config();
    Job.Builder<StripedTarget> job =
        Job.on(Job.fillWork(config), alive -> open(layout, config, alive));
    List<Integer> usual = List.of(0, 4, LARGEST);
    for (int exponent : options.scale().pick(List.of(0), usual, usual, usual)) {
      RangeLoad load = new RangeLoad(config, Contenders.LIBRARY_RORAM, 1 << exponent);
      Point.Key key =
          options.key(
              StripesExperiment.ID,
              true,
              layout.id(),
              Integer.toString(exponent),
              run,
              config,
              load.queries());
      job.step(key, load.work(), (target, alive) -> measure(key, load, target, alive));
    }
    return job.build();
  }

  private StripedTarget open(Layout layout, OramConfig config, Runnable alive) throws IOException {
    return layout.servers()
        ? StripedTarget.onServers(options.directory(), link(), layout.stripes(), config, alive)
        : StripedTarget.inDirectories(options.directory(), layout.stripes(), config, alive);
  }

  private static Point measure(Point.Key key, RangeLoad load, StripedTarget target, Runnable alive)
      throws IOException {
    Random random = new Random(key.run() * 31L + load.rangeBlocks());
    load.access(load.warmupQueries(), random, alive, target::access);
    long start = System.nanoTime();
    load.access(load.queries(), random, alive, target::access);
    double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
    long blocks = (long) load.queries() * load.rangeBlocks();
    return Point.counted(key, load.queries(), blocks, seconds, Map.of());
  }

  /** Accesses a second on one and on two stores. */
  static List<Output> outputs() {
    return List.of(
        Output.figure(
            new FigureStyle(
                RATES,
                "One and two directories, one and two servers",
                "",
                "Range size (2^x blocks)",
                "Accesses a second",
                FigureStyle.Kind.BARS),
            MeasuredStripes::rates),
        Output.table(
            TableStyle.open(
                TABLE,
                "Two beside one, measured",
                "Accesses a second of two directories or servers by those of one."),
            MeasuredStripes::ratios));
  }

  private static double rate(Point point) {
    return point.queries() / point.seconds();
  }

  private static List<Series> rates(Results results) {
    List<Series> rates = new ArrayList<>();
    for (Layout layout : LAYOUTS) {
      List<Point> of =
          results.measured().stream()
              .filter(point -> point.key().contender().equals(layout.id()))
              .toList();
      for (Series row : Averages.series(layout.kind(), of, MeasuredStripes::rate)) {
        rates.add(
            new Series(
                row.panel(),
                layout.stripes() == 1 ? "one" : "two",
                row.x(),
                row.mean(),
                row.low(),
                row.high(),
                row.runs()));
      }
    }
    return rates;
  }

  private static Table ratios(Results results) {
    Map<Averages.Place, List<Point>> places = Averages.group(results.measured());
    List<List<String>> rows = new ArrayList<>();
    for (Layout layout : LAYOUTS) {
      places.forEach(
          (place, runs) -> {
            List<Point> one =
                places.get(new Averages.Place(new Layout(layout.servers(), 1).id(), place.x()));
            if (place.contender().equals(layout.id()) && layout.stripes() == 2 && one != null) {
              Estimate ofOne = Averages.estimate(one, MeasuredStripes::rate);
              rows.add(row(layout, place, ofOne, Averages.estimate(runs, MeasuredStripes::rate)));
            }
          });
    }
    return new Table(COLUMNS, rows);
  }

  private static List<String> row(Layout layout, Averages.Place place, Estimate one, Estimate two) {
    Estimate ratio = two.dividedBy(one);
    return List.of(
        layout.kind(),
        "2^" + place.x() + " blocks",
        number(one.mean()),
        number(two.mean()),
        number(ratio.mean()),
        number(ratio.low()) + " to " + number(ratio.high()));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
