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

  private static final int MAX_RANGE = 256;
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
      boolean large = options.traces() != null;
      long bundled = Math.min(scale.traceBlocks(), 1 << 18);
      long blocks = large ? LARGE_DEVICE_BLOCKS : bundled;
      for (Contender contender : Plan.modelled()) {
        jobs.add(job(contender, blocks, options.traceQueries(), run, false));
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

  private Job job(Contender contender, long blocks, long queries, int run, boolean real) {
    OramConfig config = contender.config(blocks, MAX_RANGE);
    List<Job.Step> steps =
        WORKLOADS.stream()
            .map(workload -> step(contender, config, workload, queries, run, real))
            .toList();
    return new Job(
        contender.id(),
        Plan.fillWork(config),
        alive ->
            real
                ? Subject.onDisk(config, options.directory(), run, alive)
                : Subject.pattern(contender, config, alive),
        steps);
  }

  private Job.Step step(
      Contender contender,
      OramConfig config,
      String workload,
      long queries,
      int run,
      boolean real) {
    Point.Key key =
        new Point.Key(
            ExperimentKind.FIG7.id(),
            scale.id(),
            real,
            contender.id(),
            workload,
            run,
            config + " trace=" + traceName(workload),
            queries);
    double work = new RangeLoad(config, contender, MAX_RANGE).work() * queries / 2;
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
    ReplayResult result =
        new Replayer(subject.device(), subject.store(), key.contender())
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
        Contender.ownShare(config),
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
