package io.github.roram.bench.experiment;

import io.github.roram.OramConfig;
import io.github.roram.bench.ProgressListener.Alive;
import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.experiment.Averages.Breakdown;
import io.github.roram.bench.experiment.Claim.Comparison;
import io.github.roram.bench.experiment.Claim.Quote;
import io.github.roram.bench.experiment.Claim.Ratios;
import io.github.roram.bench.experiment.Experiment.NamedExperiment;
import io.github.roram.bench.experiment.ExperimentOptions.Setting;
import io.github.roram.bench.experiment.RangeJobs.RangeLoad;
import io.github.roram.bench.replay.ReplayResult;
import io.github.roram.bench.replay.Replayer;
import io.github.roram.bench.replay.Replayer.ReplayOptions;
import io.github.roram.bench.replay.Target;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Series;
import io.github.roram.bench.trace.Trace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Queries a second of three captured workloads (§VII-D, figure 7). */
public final class Throughput extends NamedExperiment {

  private static final String ID = "fig7";

  /** Creates the experiment, for {@link java.util.ServiceLoader}. */
  public Throughput() {
    super(ID, "three captured workloads");
  }

  @Override
  public List<Job> jobs(ExperimentOptions options, int run) {
    TraceJobs jobs = new TraceJobs(ID, options);
    List<Job> all = new ArrayList<>();
    if (options.isModelled()) {
      Contenders.ALL.forEach(contender -> all.add(jobs.modelled(contender, run)));
    }
    if (options.isMeasured()) {
      Contenders.MEASURED.forEach(contender -> all.add(jobs.measured(contender, run)));
    }
    return all;
  }

  @Override
  public Set<Setting> settings() {
    return Set.of(Setting.TRACES, Setting.QUERIES);
  }

  @Override
  public List<Output> outputs() {
    FigureStyle rates =
        new FigureStyle(
            ID,
            "Query throughput",
            "Figure 7",
            "Benchmark",
            "Throughput (queries/second)",
            FigureStyle.Kind.BARS);
    return List.of(
        Output.figure(
            rates,
            results ->
                Averages.perDevice(
                    results, (medium, point) -> point.queries() / medium.seconds(point)),
            rates.ratios(Contenders.PATH_STRONG.id(), false, TraceClaims.published())),
        new Breakdown(ID, "query", Point::queries).output());
  }

  @Override
  public List<Claim> claims(Path directory) throws IOException {
    return TraceClaims.of(Series.read(directory, ID));
  }

  /** What the paper says of figure 7, judged by its rows alone. */
  static final class TraceClaims {

    private static final String TEXT = "text";
    private static final String CAPTION = "figure 7's caption";

    /** A claim of the paper on a device. */
    private record Said(String device, List<Quote> quotes) {

      Said(String device, Quote... quotes) {
        this(device, List.of(quotes));
      }
    }

    /** A trace, and what the paper says of it. */
    private record Workload(String id, String name, List<Said> said) {}

    private static final List<Workload> WORKLOADS =
        List.of(
            new Workload(
                "seq",
                "sequential read",
                List.of(
                    new Said("hdd", almost20x(), new Quote("10x to 15x", CAPTION, 10)),
                    new Said("ssd", almost20x(), new Quote("10x to 15x", CAPTION, 10)),
                    new Said("net", new Quote("almost 6x", CAPTION, 6)),
                    new Said("measured"))),
            new Workload(
                "fileserver",
                "file server",
                List.of(
                    new Said("hdd", new Quote("5x", TEXT, 5)),
                    new Said("ssd", new Quote("similar to the hard disk's 5x", TEXT, 5)),
                    new Said("net", new Quote("similar to the hard disk's 5x", TEXT, 5)),
                    new Said("measured"))),
            new Workload(
                "videoserver",
                "video server",
                List.of(
                    new Said("hdd", new Quote("11x", TEXT, 11)),
                    new Said("ssd", new Quote("8x", TEXT, 8)),
                    new Said("net", new Quote("4x", TEXT, 4)),
                    new Said("measured"))));

    private TraceClaims() {}

    /** The ratios that the paper's text says. */
    static Series[] published() {
      return WORKLOADS.stream()
          .flatMap(
              workload ->
                  workload.said().stream()
                      .filter(said -> !said.quotes().isEmpty())
                      .map(
                          said ->
                              Series.exact(
                                  said.device(),
                                  "paper: rORAM",
                                  workload.id(),
                                  said.quotes().get(0).least())))
          .toArray(Series[]::new);
    }

    private static Quote almost20x() {
      return new Quote("almost 20x", TEXT, 20);
    }

    /** Returns the claims, except those whose runs were left out. */
    static List<Claim> of(List<Series> rows) {
      Ratios ratios = new Ratios(rows);
      List<Claim> claims = new ArrayList<>();
      for (Workload workload : WORKLOADS) {
        for (Said said : workload.said()) {
          Optional<Claim> claim =
              Claim.of(
                  workload.name() + ": rORAM answers more queries by",
                  said.device(),
                  said.quotes(),
                  Comparison.on(said.device()),
                  comparison ->
                      ratios.more(said.device(), workload.id(), comparison).map(Ratios::figure));
          claim.ifPresent(claims::add);
        }
      }
      return claims;
    }
  }

  /**
   * Jobs of captured workloads.
   *
   * @param experiment id of the experiment
   * @param options of the experiment
   */
  record TraceJobs(String experiment, ExperimentOptions options) {

    /** The workloads, in the paper's order. */
    static final List<String> WORKLOADS = List.of("seq", "fileserver", "videoserver");

    /** L. */
    static final int MAX_RANGE = 256;

    private static final long LARGE_DEVICE_BLOCKS = 1 << 22;
    private static final long MOST_BLOCKS = 1 << 18;
    static final int QUERIES_PER_WARMUP = 3;

    /** Measuring on a disk takes longer than counting. */
    private static final int MEASURED_QUERIES_DIVISOR = 6;

    /** Returns N of modelled devices. */
    static long blocks(ExperimentOptions options) {
      return options.traces() != null
          ? LARGE_DEVICE_BLOCKS
          : options.scale().pick(1L << 12, MOST_BLOCKS, MOST_BLOCKS, MOST_BLOCKS);
    }

    /** All workloads on a contender whose times are modelled from counts. */
    Job modelled(Contender contender, int run) {
      return job(contender, blocks(options), queries(), run, false);
    }

    /** Returns all workloads on this machine's disk, with data. */
    Job measured(Contender contender, int run) {
      long queries = Math.max(QUERIES_PER_WARMUP, queries() / MEASURED_QUERIES_DIVISOR);
      return job(contender, options.scale().measuredBlocks(), queries, run, true);
    }

    /** Requests counted of each trace, after a third as many to warm up. */
    private long queries() {
      Long wanted = options.selection().traceQueries();
      return wanted == null ? options.scale().pick(20L, 300L, 1000L, 3000L) : wanted;
    }

    private Job job(Contender contender, long blocks, long queries, int run, boolean real) {
      OramConfig config = contender.config(blocks, MAX_RANGE);
      double work = new RangeLoad(config, contender, MAX_RANGE).work() * queries / 2;
      Job.Builder<Target> job = Job.on(contender, config, options, run, real);
      for (String workload : WORKLOADS) {
        Point.Key key =
            options.key(
                experiment,
                real,
                contender.id(),
                workload,
                run,
                config + " trace=" + traceName(workload),
                queries);
        job.step(key, work, (target, alive) -> replay(key, contender, workload, target, alive));
      }
      return job.build();
    }

    String traceName(String workload) {
      return options.traces() == null ? workload + "-1g" : workload + "-16g";
    }

    Trace trace(String workload) throws IOException {
      Path directory = options.traces();
      String name = traceName(workload);
      return directory == null
          ? Trace.find(name)
          : Trace.find(directory.resolve(name + ".csv.gz").toString());
    }

    private Point replay(
        Point.Key key, Contender contender, String workload, Target target, Runnable alive)
        throws IOException {
      ReplayOptions replay =
          ReplayOptions.DEFAULTS
              .withVerify(target.device().canVerify())
              .withFold(true)
              .withWarmupQueries(key.amount() / QUERIES_PER_WARMUP)
              .withMaxQueries(key.amount());
      long paddingBefore = target.device().stats().paddingBlocks();
      EvictionShare share = new EvictionShare(contender, target.device().config());
      ReplayResult result =
          new Replayer(share.counting(target.device()), target.store(), key.contender())
              .replay(trace(workload), replay, new Alive(alive));
      if (result.mismatches() > 0) {
        throw new IllegalStateException(
            result.mismatches()
                + " blocks were answered with wrong contents ("
                + key
                + "); this is a bug, please report it");
      }
      return new Point(
          key,
          result.queries(),
          result.blocksRequested(),
          result.seconds(),
          result.ioByPhase(),
          share.own(),
          target.device().stats().paddingBlocks() - paddingBefore,
          List.of());
    }
  }
}
