package io.github.roram.bench.experiment;

import io.github.roram.OramConfig;
import io.github.roram.bench.ProgressListener.Alive;
import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.replay.ReplayOptions;
import io.github.roram.bench.replay.ReplayResult;
import io.github.roram.bench.replay.Replayer;
import io.github.roram.bench.replay.Target;
import io.github.roram.bench.trace.Trace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

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
  private static final int QUERIES_PER_WARMUP = 3;

  /** Measuring on a disk takes longer than counting. */
  private static final int MEASURED_QUERIES_DIVISOR = 6;

  /** N of what is modelled. */
  static long blocks(ExperimentOptions options) {
    return options.traces() != null
        ? LARGE_DEVICE_BLOCKS
        : options.scale().pick(1L << 12, MOST_BLOCKS, MOST_BLOCKS, MOST_BLOCKS);
  }

  /** All workloads on a contender whose times are modelled from counts. */
  Job modelled(Contender contender, int run) {
    return job(contender, blocks(options), queries(), run, false);
  }

  /** All workloads on this machine's disk, with data. */
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
          new Point.Key(
              experiment,
              options.scale().id(),
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

  private String traceName(String workload) {
    return options.traces() == null ? workload + "-1g" : workload + "-16g";
  }

  private Trace trace(String workload) throws IOException {
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
