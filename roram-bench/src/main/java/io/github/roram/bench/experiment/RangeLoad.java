package io.github.roram.bench.experiment;

import io.github.roram.OramConfig;
import io.github.roram.bench.replay.ReplayDevice;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.range.SizeClasses;
import io.github.roram.storage.device.IoCounts;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

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
record RangeLoad(OramConfig config, Contender contender, int rangeBlocks) {

  /** Fewest blocks over which the seeks of paths at random places are averaged. */
  private static final int LEAST_BLOCKS = 256;

  private static final int ENOUGH_BLOCKS = 1 << 18;
  private static final double NANOS_PER_SECOND = 1e9;

  /** Queries before counting starts. */
  int warmupQueries() {
    return TreeParameters.of(config).windowBlocks() / rangeBlocks + 1;
  }

  /** Queries that are counted: whole cycles. */
  int queries() {
    int cycle = cycleQueries();
    int least = contender == Contender.RORAM_PAPER ? 2 : Math.max(1, LEAST_BLOCKS / rangeBlocks);
    return (least + cycle - 1) / cycle * cycle;
  }

  private int cycleQueries() {
    if (contender != Contender.PATH_BATCHED && !contender.hasRanges()) {
      return 1;
    }
    int rate = TreeParameters.of(config).evictionRate();
    int chunkBlocks =
        TreeParameters.of(config).windowBlocks() == 0
            ? rate
            : rate * TreeParameters.of(config).chunkPaths();
    int cycle = chunkBlocks / gcd(chunkBlocks, rangeBlocks);
    int ownCycle = chunkBlocks / gcd(chunkBlocks, ownGranularity());
    // The tree that is read owes more than the others. Its cycle may be too long to wait for: then
    // so many chunks that one more or less makes no difference.
    int enough = (Math.max(1, ENOUGH_BLOCKS / rangeBlocks) + cycle - 1) / cycle * cycle;
    return Math.min(ownCycle, enough);
  }

  /** A power of two that divides both the range and the blocks that an access reads for it. */
  private int ownGranularity() {
    if (!contender.hasRanges()) {
      return rangeBlocks;
    }
    SizeClasses classes = new SizeClasses(TreeParameters.of(config));
    return 1 << classes.exponent(classes.tree(classes.of(rangeBlocks)));
  }

  private static int gcd(int a, int b) {
    return b == 0 ? a : gcd(b, a % b);
  }

  /** About the number of buckets that all queries move. */
  double work() {
    double blocks = (double) (warmupQueries() + queries()) * rangeBlocks;
    int trees = TreeParameters.of(config).trees().length;
    double perBlock =
        switch (contender) {
          case PATH_PAPER -> 200;
          case PATH_STRONG, PATH_RECURSIVE, PATH_TREETOP -> 60;
          case PATH_BATCHED -> 50;
          case RORAM_PAPER -> 40.0 * trees;
          case RORAM, RORAM_HALF, RORAM_FEW, RORAM_TWO, RORAM_ONE -> 15 + 7.0 * trees;
        };
    return blocks * perBlock;
  }

  /** Runs it. */
  Point run(Point.Key key, Subject subject, Runnable alive) throws IOException {
    Random random = new Random(key.run() * 31L + rangeBlocks);
    access(subject.device(), warmupQueries(), random, alive);
    subject.store().reset();
    int queries = queries();
    long nanos = access(subject.device(), queries, random, alive);
    return new Point(
        key,
        queries,
        (long) queries * rangeBlocks,
        nanos / NANOS_PER_SECOND,
        phases(subject),
        new EvictionShare(config).add(rangeBlocks).own(),
        0,
        List.of());
  }

  private long access(ReplayDevice device, int queries, Random random, Runnable alive)
      throws IOException {
    int places = (int) (config.blocks() - rangeBlocks + 1);
    long nanos = 0;
    for (int query = 0; query < queries; query++) {
      int block = random.nextInt(places);
      nanos +=
          query % 2 == 0
              ? device.read(block, rangeBlocks, false)
              : device.write(block, rangeBlocks);
      alive.run();
    }
    return nanos;
  }

  /** What the store of a subject was asked for since the last reset. */
  static Map<IoPhase, IoCounts> phases(Subject subject) {
    Map<IoPhase, IoCounts> phases = new EnumMap<>(IoPhase.class);
    for (IoPhase phase : IoPhase.values()) {
      phases.put(phase, subject.store().of(phase));
    }
    return phases;
  }
}
