package io.github.roram.bench.experiment;

import io.github.roram.OramConfig;
import io.github.roram.bench.ProgressListener;
import io.github.roram.bench.replay.ReplayOptions;
import io.github.roram.bench.replay.ReplayResult;
import io.github.roram.bench.replay.Replayer;
import io.github.roram.bench.trace.Trace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The jobs of figure 7: traces. */
final class TracePlan {

  /** The workloads, in the paper's order. */
  static final List<String> WORKLOADS = List.of("seq", "fileserver", "videoserver");

  /** L. */
  static final int MAX_RANGE = 256;

  private static final long LARGE_DEVICE_BLOCKS = 1 << 22;
  private static final int QUERIES_PER_WARMUP = 3;

  /** Measuring on a disk takes longer than counting. */
  private static final int MEASURED_QUERIES_DIVISOR = 6;

  private final ExperimentOptions options;
  private final Scale scale;

  TracePlan(ExperimentOptions options, Scale scale) {
    this.options = options;
    this.scale = scale;
  }

  /** Adds the jobs of a run. */
  void add(List<Job> jobs, int run) {
    if (options.isModelled()) {
      for (Contender contender : Plan.modelled()) {
        jobs.add(job(contender, blocks(), options.traceQueries(), run, false));
      }
    }
    if (options.isMeasured()) {
      long queries =
          Math.max(QUERIES_PER_WARMUP, options.traceQueries() / MEASURED_QUERIES_DIVISOR);
      for (Contender contender : Plan.measured()) {
        jobs.add(job(contender, scale.measuredBlocks(), queries, run, true));
      }
    }
  }

  /** N of what is modelled. */
  long blocks() {
    return options.traces() != null ? LARGE_DEVICE_BLOCKS : Math.min(scale.traceBlocks(), 1 << 18);
  }

  /** Adds the jobs of a run of the levers, and of what they are compared with. */
  void addLevers(List<Job> jobs, int run) {
    if (!options.isModelled()) {
      return;
    }
    Contender strong = Contender.PATH_STRONG;
    Subjects subjects = new Subjects(ExperimentKind.LEVERS, strong, strong.id());
    jobs.add(job(subjects, strong.config(blocks(), MAX_RANGE), options.traceQueries(), run, false));
    for (Lever lever : Lever.values()) {
      Subjects levers = new Subjects(ExperimentKind.LEVERS, Contender.RORAM, lever.id());
      OramConfig config = lever.config(blocks(), MAX_RANGE);
      jobs.add(job(levers, config, options.traceQueries(), run, false));
    }
  }

  /**
   * What is run.
   *
   * @param kind the experiment
   * @param contender what it is, or resembles
   * @param id its name in results
   */
  private record Subjects(ExperimentKind kind, Contender contender, String id) {}

  private Job job(Contender contender, long blocks, long queries, int run, boolean real) {
    Subjects subjects = new Subjects(ExperimentKind.FIG7, contender, contender.id());
    return job(subjects, contender.config(blocks, MAX_RANGE), queries, run, real);
  }

  private Job job(Subjects subjects, OramConfig config, long queries, int run, boolean real) {
    List<Job.Step> steps =
        WORKLOADS.stream()
            .map(workload -> step(subjects, config, workload, queries, run, real))
            .toList();
    Contender contender = subjects.contender();
    return new Job(
        subjects.id(),
        Plan.fillWork(config),
        alive ->
            real
                ? Subject.onDisk(config, options.directory(), run, alive)
                : Subject.pattern(contender, config, alive),
        steps);
  }

  private Job.Step step(
      Subjects subjects, OramConfig config, String workload, long queries, int run, boolean real) {
    Point.Key key =
        new Point.Key(
            subjects.kind().id(),
            scale.id(),
            real,
            subjects.id(),
            workload,
            run,
            config + " trace=" + traceName(workload),
            queries);
    double work = new RangeLoad(config, subjects.contender(), MAX_RANGE).work() * queries / 2;
    return new Job.Step(
        key, work, (subject, alive) -> replay(key, config, workload, subject, alive));
  }

  private String traceName(String workload) {
    Path directory = options.traces();
    return directory == null ? workload + "-1g" : workload + "-16g";
  }

  private Trace trace(String workload) throws IOException {
    Path directory = options.traces();
    String name = traceName(workload);
    return directory == null
        ? Trace.find(name)
        : Trace.find(directory.resolve(name + ".csv.gz").toString());
  }

  private Point replay(
      Point.Key key, OramConfig config, String workload, Subject subject, Runnable alive)
      throws IOException {
    ReplayOptions replay =
        ReplayOptions.DEFAULTS
            .withVerify(subject.device().canVerify())
            .withFold(true)
            .withWarmupQueries(key.amount() / QUERIES_PER_WARMUP)
            .withMaxQueries(key.amount());
    long paddingBefore = subject.device().stats().paddingBlocks();
    EvictionShare share = new EvictionShare(config);
    ReplayResult result =
        new Replayer(share.counting(subject.device()), subject.store(), key.contender())
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
        subject.device().stats().paddingBlocks() - paddingBefore,
        List.of());
  }

  /** Tells only that work goes on. */
  record Alive(Runnable alive) implements ProgressListener {

    @Override
    public void begin(String task, String unit, long total) {}

    @Override
    public void advanceTo(long done) {
      alive.run();
    }

    @Override
    public void end() {}
  }
}
