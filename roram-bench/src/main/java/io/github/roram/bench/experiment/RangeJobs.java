package io.github.roram.bench.experiment;

import io.github.roram.OramConfig;
import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.contender.SteadyMemory;
import io.github.roram.bench.replay.Target;
import io.github.roram.bench.replay.Target.ReplayDevice;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.range.SizeClasses;
import java.io.IOException;
import java.util.List;
import java.util.Random;

/**
 * Jobs of ranges of one size at random places, alternately read and written ({@link RangeLoad}).
 *
 * @param experiment id of the experiment
 * @param options of the experiment
 */
public record RangeJobs(String experiment, ExperimentOptions options) {

  /**
   * A point of a job.
   *
   * @param x its place on the axis
   * @param rangeBlocks r, a power of two
   */
  public record Place(String x, int rangeBlocks) {

    /** Ranges of 2^{@code exponent} blocks at that exponent. */
    public static Place ofExponent(int exponent) {
      return new Place(Integer.toString(exponent), 1 << exponent);
    }
  }

  /** Points whose times are modelled from counts. */
  public Job modelled(Contender contender, OramConfig config, int run, List<Place> places) {
    return job(contender, config, run, places, false);
  }

  /** Points on this machine's disk, with data. */
  public Job measured(Contender contender, OramConfig config, int run, List<Place> places) {
    return job(contender, config, run, places, true);
  }

  private Job job(
      Contender contender, OramConfig config, int run, List<Place> places, boolean real) {
    Job.Builder<Target> job = Job.on(contender, config, options, run, real);
    for (Place place : places) {
      RangeLoad load = new RangeLoad(config, contender, place.rangeBlocks());
      Point.Key key =
          options.key(experiment, real, contender.id(), place.x(), run, config, load.queries());
      job.step(key, load.work(), (target, alive) -> load.run(key, target, alive));
    }
    return job.build();
  }

  /**
   * Ranges of one size at random places, alternately read and written.
   *
   * <p>Evictions come in chunks, each after several queries. So that their share is exact, queries
   * are counted over whole cycles of chunks, once all trees owe as much as they ever do.
   *
   * @param config of the subject
   * @param contender the subject
   * @param rangeBlocks r, a power of two
   */
  public record RangeLoad(OramConfig config, Contender contender, int rangeBlocks) {

    private static final int FEW_QUERIES = 2;
    private static final int ENOUGH_BLOCKS = 1 << 18;
    private static final double NANOS_PER_SECOND = 1e9;

    /** Queries before counting starts. */
    public int warmupQueries() {
      int window = contender.traits().chunks() ? TreeParameters.of(config).windowBlocks() : 0;
      return window / rangeBlocks + 1;
    }

    /** Queries that are counted: whole cycles. */
    public int queries() {
      int cycle = cycleQueries();
      int leastBlocks = contender.traits().leastBlocks();
      int least = leastBlocks == 0 ? FEW_QUERIES : Math.max(1, leastBlocks / rangeBlocks);
      return (least + cycle - 1) / cycle * cycle;
    }

    private int cycleQueries() {
      if (!contender.traits().chunks()) {
        return 1;
      }
      TreeParameters parameters = TreeParameters.of(config);
      int chunkPaths = parameters.windowBlocks() == 0 ? 1 : parameters.chunkPaths();
      int chunkHalves = parameters.evictionHalfBlocks() * chunkPaths;
      int cycle = chunkHalves / gcd(chunkHalves, 2 * rangeBlocks);
      int ownCycle = chunkHalves / gcd(chunkHalves, 2 * ownGranularity());
      // The tree that is read owes more than the others. Its cycle may be too long to wait for:
      // then
      // so many chunks that one more or less makes no difference.
      int enough = (Math.max(1, ENOUGH_BLOCKS / rangeBlocks) + cycle - 1) / cycle * cycle;
      return Math.min(ownCycle, enough);
    }

    /**
     * Returns a power of two that divides both the range and the blocks that an access reads for
     * it.
     */
    private int ownGranularity() {
      if (!contender.traits().ranges()) {
        return rangeBlocks;
      }
      SizeClasses classes = new SizeClasses(TreeParameters.of(config));
      return 1 << classes.exponent(classes.tree(classes.of(rangeBlocks)));
    }

    private static int gcd(int a, int b) {
      return b == 0 ? a : gcd(b, a % b);
    }

    /** Returns the approximate number of buckets moved by all queries. */
    public double work() {
      double blocks = (double) (warmupQueries() + queries()) * rangeBlocks;
      return blocks * contender.traits().bucketsPerBlock(SteadyMemory.trees(config));
    }

    /** Runs it. */
    public Point run(Point.Key key, Target target, Runnable alive) throws IOException {
      Random random = new Random(key.run() * 31L + rangeBlocks);
      access(target.device(), warmupQueries(), random, alive);
      target.store().reset();
      int queries = queries();
      long nanos = access(target.device(), queries, random, alive);
      return new Point(
          key,
          queries,
          (long) queries * rangeBlocks,
          nanos / NANOS_PER_SECOND,
          target.phases(),
          new EvictionShare(contender, config).add(rangeBlocks).own(),
          0,
          List.of());
    }

    private long access(ReplayDevice device, int queries, Random random, Runnable alive)
        throws IOException {
      long[] nanos = {0};
      access(
          queries,
          random,
          alive,
          (block, count, write) ->
              nanos[0] += write ? device.write(block, count) : device.read(block, count, false));
      return nanos[0];
    }

    /** An access of a range. */
    @FunctionalInterface
    public interface Access {
      /** Makes it. */
      void make(long block, int count, boolean write) throws IOException;
    }

    /** Ranges at random places, alternately read and written. */
    public void access(long queries, Random random, Runnable alive, Access access)
        throws IOException {
      access(config, rangeBlocks, queries, random, alive, access);
    }

    static void access(
        OramConfig config,
        int rangeBlocks,
        long queries,
        Random random,
        Runnable alive,
        Access access)
        throws IOException {
      int places = (int) (config.blocks() - rangeBlocks + 1);
      for (long query = 0; query < queries; query++) {
        access.make(random.nextInt(places), rangeBlocks, query % 2 != 0);
        alive.run();
      }
    }
  }
}
