package io.github.roram.bench.experiment;

import io.github.roram.OramConfig;
import io.github.roram.bench.ProgressListener.Alive;
import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.experiment.Experiment.NamedExperiment;
import io.github.roram.bench.experiment.ExperimentOptions.Setting;
import io.github.roram.bench.experiment.RangeJobs.RangeLoad;
import io.github.roram.bench.experiment.Throughput.TraceJobs;
import io.github.roram.bench.replay.Arrivals;
import io.github.roram.bench.replay.Arrivals.Pace;
import io.github.roram.bench.replay.Arrivals.Responses;
import io.github.roram.bench.replay.ReplayResult;
import io.github.roram.bench.replay.Replayer.ReplayOptions;
import io.github.roram.bench.replay.Target;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Series;
import io.github.roram.bench.report.Table;
import io.github.roram.bench.report.Units;
import io.github.roram.storage.device.DeviceModel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Response times where the requests of the captured workloads come by the trace's clock, evictions
 * included, as the published prototype's schedules have them: at parts of each contender's own
 * capacity.
 */
public final class ArrivalsExperiment extends NamedExperiment {

  private static final String ID = "arrivals";
  private static final List<Double> LOADS = List.of(0.2, 0.4, 0.6, 0.8, 0.9);
  private static final double USUAL_LOAD = 0.8;
  private static final String CAPACITY = "capacity";
  private static final String OWN_LOAD = "own load";

  /** The reported values of response times, by name. */
  private static final Map<String, ToDoubleFunction<Responses>> TOLD = told();

  /** Creates the experiment, for {@link java.util.ServiceLoader}. */
  public ArrivalsExperiment() {
    super(ID, "response times of the workloads by their own clock");
  }

  private static Map<String, ToDoubleFunction<Responses>> told() {
    Map<String, ToDoubleFunction<Responses>> told = new LinkedHashMap<>();
    told.put("mean", Responses::meanMillis);
    told.put("median", responses -> responses.millis(50));
    told.put("p90", responses -> responses.millis(90));
    told.put("p99", responses -> responses.millis(99));
    told.put("p99.9", responses -> responses.millis(99.9));
    told.put("most", responses -> responses.millis(100));
    return told;
  }

  @Override
  public List<Job> jobs(ExperimentOptions options, int run) {
    List<Job> jobs = new ArrayList<>();
    if (options.isModelled()) {
      Contenders.MEASURED.forEach(contender -> jobs.add(job(contender, options, run)));
    }
    return jobs;
  }

  private static Job job(Contender contender, ExperimentOptions options, int run) {
    TraceJobs traces = new TraceJobs(ID, options);
    Long wanted = options.selection().traceQueries();
    long queries =
        wanted == null ? options.scale().pick(60L, 4000L, 8000L, 10_000L) : (long) wanted;
    OramConfig config = contender.config(TraceJobs.blocks(options), TraceJobs.MAX_RANGE);
    double work = new RangeLoad(config, contender, TraceJobs.MAX_RANGE).work() * queries / 2;
    Job.Builder<Target> job = Job.on(contender, config, options, run, false);
    for (String workload : TraceJobs.WORKLOADS) {
      Point.Key key =
          options.key(
              ID,
              false,
              contender.id(),
              workload,
              run,
              config + " trace=" + traces.traceName(workload),
              queries);
      job.step(key, work, (target, alive) -> replay(key, traces, target, alive));
    }
    return job.build();
  }

  private static Point replay(Point.Key key, TraceJobs traces, Target target, Runnable alive)
      throws IOException {
    ReplayOptions options =
        ReplayOptions.DEFAULTS
            .withVerify(false)
            .withFold(true)
            .withArrivals(true)
            .withWarmupQueries(key.amount() / TraceJobs.QUERIES_PER_WARMUP)
            .withMaxQueries(key.amount());
    ReplayResult result = target.replay(traces.trace(key.x()), options, new Alive(alive));
    Arrivals arrivals = Objects.requireNonNull(result.arrivals());
    Map<String, Double> figures = new LinkedHashMap<>();
    for (DeviceModel device : DeviceModel.PAPER) {
      Responses own = arrivals.responses(device.id(), Pace.ofSpeed(1));
      figures.put(name(device, CAPACITY), own.perSecond());
      figures.put(name(device, OWN_LOAD), own.load());
      for (double load : LOADS) {
        Responses responses = arrivals.responses(device.id(), Pace.ofLoad(load));
        TOLD.forEach(
            (name, of) -> figures.put(name(device, name, load), of.applyAsDouble(responses)));
      }
    }
    return Point.counted(key, result.queries(), result.blocksRequested(), 0, Map.of())
        .withFigures(figures);
  }

  private static String name(DeviceModel device, String what) {
    return device.id() + " " + what;
  }

  private static String name(DeviceModel device, String what, double load) {
    return String.format(Locale.ROOT, "%s %s at %.1f", device.id(), what, load);
  }

  @Override
  public Set<Setting> settings() {
    return Set.of(Setting.TRACES, Setting.QUERIES);
  }

  @Override
  public List<Output> outputs() {
    List<Output> outputs = new ArrayList<>();
    for (String workload : TraceJobs.WORKLOADS) {
      outputs.add(
          Output.figure(
              new FigureStyle(
                  ID + "-" + workload,
                  "Response times of " + workload + " by its own clock",
                  "",
                  "Part of the capacity that is used",
                  "p99.9 (ms)",
                  FigureStyle.Kind.LOGARITHMIC_CURVES),
              results -> curves(of(results.points(), workload))));
    }
    outputs.add(
        Output.table(
            TableStyle.open(
                ID,
                "Response times at 80 % of capacity",
                "Milliseconds, modelled, where requests come by the trace's clock, at the speed that"
                    + " keeps each contender at work for 80 % of the time; it makes one access after"
                    + " another, evictions included. The load by the trace's own clock says how much"
                    + " too slow a contender is for it: from 1 on it falls behind."),
            results -> table(results.points())));
    return outputs;
  }

  private static List<Point> of(List<Point> points, String workload) {
    return points.stream().filter(point -> point.key().x().equals(workload)).toList();
  }

  private static List<Series> curves(List<Point> points) {
    List<Series> rows = new ArrayList<>();
    for (DeviceModel device : DeviceModel.PAPER) {
      for (double load : LOADS) {
        Averages.series(device.id(), points, point -> point.figure(name(device, "p99.9", load)))
            .forEach(row -> rows.add(row.at(String.valueOf(load))));
      }
    }
    return rows;
  }

  private static Table table(List<Point> points) {
    List<String> columns =
        new ArrayList<>(
            List.of("workload", "device", "scheme", "most a second", "load by its own clock"));
    columns.addAll(TOLD.keySet());
    List<List<String>> rows = new ArrayList<>();
    for (String workload : TraceJobs.WORKLOADS) {
      for (DeviceModel device : DeviceModel.PAPER) {
        rows.addAll(
            Averages.rows(
                of(points, workload),
                (place, runs) -> {
                  List<String> row =
                      new ArrayList<>(List.of(workload, device.id(), place.contender()));
                  row.add(mean(runs, name(device, CAPACITY)));
                  row.add(mean(runs, name(device, OWN_LOAD)));
                  TOLD.keySet()
                      .forEach(told -> row.add(mean(runs, name(device, told, USUAL_LOAD))));
                  return row;
                }));
      }
    }
    return new Table(columns, rows);
  }

  private static String mean(List<Point> runs, String figure) {
    return Units.number(Averages.mean(runs, point -> point.figure(figure)));
  }
}
