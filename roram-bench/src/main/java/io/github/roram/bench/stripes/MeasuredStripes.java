package io.github.roram.bench.stripes;

import io.github.roram.OramConfig;
import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.Job;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.experiment.RangeLoad;
import io.github.roram.bench.experiment.Subject;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.storage.link.Link;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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
    StripedTarget[] open = new StripedTarget[1];
    List<Job.Step> steps = new ArrayList<>();
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
      steps.add(
          new Job.Step(key, load.work(), (subject, alive) -> measure(key, load, open[0], alive)));
    }
    return new Job(
        2.0 * config.blocks() * TreeParameters.of(config).trees().length,
        alive -> {
          open[0] =
              layout.servers()
                  ? StripedTarget.onServers(
                      options.directory(), link(), layout.stripes(), config, alive)
                  : StripedTarget.inDirectories(
                      options.directory(), layout.stripes(), config, alive);
          return Subject.ofItsOwn(open[0]);
        },
        steps);
  }

  private static Point measure(Point.Key key, RangeLoad load, StripedTarget target, Runnable alive)
      throws IOException {
    Random random = new Random(key.run() * 31L + load.rangeBlocks());
    access(load, load.warmupQueries(), target, random, alive);
    long start = System.nanoTime();
    access(load, load.queries(), target, random, alive);
    double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
    long blocks = (long) load.queries() * load.rangeBlocks();
    return Point.counted(key, load.queries(), blocks, seconds, Map.of());
  }

  private static void access(
      RangeLoad load, int queries, StripedTarget target, Random random, Runnable alive)
      throws IOException {
    int places = (int) (load.config().blocks() - load.rangeBlocks() + 1);
    for (int query = 0; query < queries; query++) {
      target.access(random.nextInt(places), load.rangeBlocks(), query % 2 != 0);
      alive.run();
    }
  }
}
