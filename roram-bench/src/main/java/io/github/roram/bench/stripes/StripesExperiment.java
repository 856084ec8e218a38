package io.github.roram.bench.stripes;

import io.github.roram.OramConfig;
import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.contender.Contender.DeviceShape;
import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.experiment.Averages;
import io.github.roram.bench.experiment.Experiment.NamedExperiment;
import io.github.roram.bench.experiment.Experiment.Output;
import io.github.roram.bench.experiment.Experiment.Results;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.Job;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.experiment.RangeJobs.RangeLoad;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Table;
import io.github.roram.pattern.PatternOram;
import io.github.roram.storage.device.DeviceModel;
import io.github.roram.storage.device.IoCounts;
import io.github.roram.storage.device.StripeCounts;
import io.github.roram.store.BlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;

/**
 * Stores on several disks or servers (rORAM, §VIII-A): seeks in sequence on 1, 2, 4 and 8 modelled
 * disks, and accesses a second with two directories and with two block servers behind lines,
 * measured next to one of each.
 */
public final class StripesExperiment extends NamedExperiment {

  static final String ID = "stripes";

  /** Creates the experiment, for {@link java.util.ServiceLoader}. */
  public StripesExperiment() {
    super(ID, "seeks in sequence on several disks; two directories, two servers");
  }

  @Override
  public List<Job> jobs(ExperimentOptions options, int run) {
    List<Job> jobs = new ArrayList<>();
    if (options.isModelled()) {
      jobs.addAll(new ModelledStripes(options, run).jobs());
    }
    if (options.isMeasured()) {
      jobs.addAll(new MeasuredStripes(options, run).jobs());
    }
    return jobs;
  }

  @Override
  public Set<String> choices() {
    Set<String> all = new HashSet<>();
    Contenders.STRIPED.forEach(each -> all.add(each.id()));
    MeasuredStripes.LAYOUTS.forEach(each -> all.add(each.id()));
    return all;
  }

  @Override
  public List<Output> outputs() {
    List<Output> outputs = new ArrayList<>(ModelledStripes.outputs());
    outputs.addAll(MeasuredStripes.outputs());
    return outputs;
  }

  /**
   * Counts without data, as if the store were on 1, 2, 4 and 8 disks: all of them in one run.
   *
   * @param options of the experiment
   * @param run number of the run
   */
  record ModelledStripes(ExperimentOptions options, int run) {

    /** How many disks. */
    static final List<Integer> STRIPES = List.of(1, 2, 4, 8);

    /** The table of seeks. */
    static final String TABLE = "stripes-bound";

    private static final List<String> COLUMNS =
        List.of(
            "scheme",
            "range",
            "disks",
            "seeks in sequence an access",
            "of one disk's",
            "bound of §VIII-A",
            "longest access",
            "ms on hard disks");
    private static final int BLOCK_BYTES = 4096;

    /** An ORAM at work, and what it would make each number of disks do. */
    private record Counted(PatternOram oram, List<StripeCounts> counts) implements Closeable {
      @Override
      public void close() throws IOException {
        oram.close();
      }
    }

    static String seeks(int stripes) {
      return "seeks-" + stripes;
    }

    static String longest(int stripes) {
      return "longest-" + stripes;
    }

    static String seconds(int stripes) {
      return "seconds-" + stripes;
    }

    List<Job> jobs() {
      int largest = options.scale().pick(5, 8, 8, 8);
      DeviceShape device =
          new DeviceShape(options.scale().blocks(), BLOCK_BYTES, 1 << largest, List.of());
      return Contenders.STRIPED.stream()
          .map(each -> job(each, each.config(device), largest))
          .toList();
    }

    private Job job(Contender contender, OramConfig config, int largest) {
      Job.Builder<Counted> job = Job.on(Job.fillWork(config), alive -> open(config, alive));
      for (int exponent : new int[] {0, largest}) {
        RangeLoad load = new RangeLoad(config, contender, 1 << exponent);
        Point.Key key =
            options.key(
                StripesExperiment.ID,
                false,
                contender.id(),
                Integer.toString(exponent),
                run,
                config,
                load.queries());
        job.step(key, load.work(), (counted, alive) -> measure(key, load, counted, alive));
      }
      return job.build();
    }

    private static Counted open(OramConfig config, Runnable alive) throws IOException {
      List<StripeCounts> counts = new ArrayList<>();
      PatternOram oram =
          PatternOram.create(
              config,
              store -> {
                BlockStore watched = store;
                for (int stripes : STRIPES) {
                  StripeCounts next = new StripeCounts(watched, stripes);
                  counts.add(next);
                  watched = next;
                }
                return watched;
              });
      oram.fill(bytes -> alive.run());
      return new Counted(oram, counts);
    }

    private static Point measure(Point.Key key, RangeLoad load, Counted counted, Runnable alive)
        throws IOException {
      Random random = new Random(key.run() * 31L + load.rangeBlocks());
      load.access(load.warmupQueries(), random, alive, counted.oram()::access);
      counted.counts().forEach(StripeCounts::reset);
      long[] before = new long[STRIPES.size()];
      long[] longest = new long[STRIPES.size()];
      load.access(
          load.queries(),
          random,
          alive,
          (block, count, write) -> {
            counted.oram().access(block, count, write);
            for (int i = 0; i < before.length; i++) {
              long now = counted.counts().get(i).seeksInSequence();
              longest[i] = Math.max(longest[i], now - before[i]);
              before[i] = now;
            }
          });
      Map<String, Double> figures = new HashMap<>();
      for (int i = 0; i < before.length; i++) {
        StripeCounts of = counted.counts().get(i);
        figures.put(seeks(of.stripes()), (double) of.seeksInSequence());
        figures.put(longest(of.stripes()), (double) longest[i]);
        figures.put(seconds(of.stripes()), seconds(of));
      }
      long blocks = (long) load.queries() * load.rangeBlocks();
      return Point.counted(key, load.queries(), blocks, 0, Map.of()).withFigures(figures);
    }

    private static double seconds(StripeCounts counts) {
      return DeviceModel.HDD.seconds(
          new IoCounts(0, 0, counts.seeksInSequence(), 0, counts.bytesInSequence(), 0));
    }

    /** Seeks in sequence against the number of disks, next to the bound of §VIII-A. */
    static List<Output> outputs() {
      return List.of(
          figure("stripes-seeks", "Seeks one after another", "Seeks an access", of -> seeks(of), 1),
          figure(
              "stripes-time",
              "Time of an access on modelled hard disks",
              "Milliseconds",
              of -> seconds(of),
              1e3),
          Output.table(
              TableStyle.open(
                  TABLE,
                  "Parallel seeks",
                  "Seeks in sequence: while the other disks seek too. The bound of §VIII-A: what makes"
                      + " c log N seeks on one disk makes c (1 + log N / k) in sequence on k, as a"
                      + " share of those on one."),
              results ->
                  new Table(
                      COLUMNS,
                      each(
                          results,
                          (place, runs, stripes) ->
                              row(place, runs, stripes, results.options().scale().blocks())))));
    }

    private static Output figure(
        String id, String title, String yAxis, IntFunction<String> figure, double factor) {
      return Output.figure(
          new FigureStyle(id, title, "", "Disks", yAxis, FigureStyle.Kind.LOGARITHMIC_CURVES),
          results ->
              each(
                  results,
                  (place, runs, stripes) ->
                      Averages.series(range(place), runs, per(figure.apply(stripes), factor))
                          .get(0)
                          .at(Integer.toString(stripes))));
    }

    /** A function of a place and a number of disks. */
    private interface OfStripes<T> {
      T row(Averages.PointPlace place, List<Point> runs, int stripes);
    }

    private static <T> List<T> each(Results results, OfStripes<T> rowOf) {
      List<T> rows = new ArrayList<>();
      Averages.group(results.modelled())
          .forEach(
              (place, runs) ->
                  STRIPES.forEach(stripes -> rows.add(rowOf.row(place, runs, stripes))));
      return rows;
    }

    private static ToDoubleFunction<Point> per(String figure, double factor) {
      return point -> factor * point.figure(figure) / point.queries();
    }

    private static String range(Averages.PointPlace place) {
      return "2^" + place.x() + " blocks";
    }

    /**
     * Returns the share of seeks in sequence: c log N on one disk become c (1 + log N / k) on k.
     */
    static double boundShare(long blocks, int stripes) {
      double log = Math.log(blocks) / Math.log(2);
      return Math.min(1, (1 + log / stripes) / log);
    }

    private static List<String> row(
        Averages.PointPlace place, List<Point> runs, int stripes, long blocks) {
      double seeks = Averages.mean(runs, per(seeks(stripes), 1));
      double ofOne = Averages.mean(runs, per(seeks(1), 1));
      double most = runs.stream().mapToDouble(run -> run.figure(longest(stripes))).max().orElse(0);
      return List.of(
          place.contender(),
          range(place),
          Integer.toString(stripes),
          number("%.2f", seeks),
          number("%.3f", seeks / ofOne),
          number("%.3f", boundShare(blocks, stripes)),
          number("%.0f", most),
          number("%.1f", Averages.mean(runs, per(seconds(stripes), 1e3))));
    }

    private static String number(String format, double value) {
      return String.format(Locale.ROOT, format, value);
    }
  }
}
