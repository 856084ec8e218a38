package io.github.roram.bench.experiment;

import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.bench.replay.Target;
import io.github.roram.parameters.TreeParameters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A load that fills stashes, whose sizes are put down after every access. Without treetop and
 * window, the stash is all that the client holds: the blocks of the last access that its evictions
 * left over, and those of accesses before.
 *
 * @param config of the subject
 * @param kind what is accessed
 * @param blocks block accesses
 */
record StashLoad(OramConfig config, Kind kind, long blocks) {

  private static final int CHECKPOINTS = 10;

  /** What is accessed; a third of the accesses are writes. */
  enum Kind {
    /** Single blocks at random places. */
    SINGLE("single"),
    /** Single blocks, one after another: ranges whose labels lie badly overflow as a whole. */
    IN_ORDER("in-order"),
    /** The longest ranges at random places. */
    RANGES("ranges"),
    /** The longest ranges, one after another. */
    SEQUENTIAL("sequential"),
    /** Ranges of random lengths at random places. */
    MIXED("mixed");

    private final String id;

    Kind(String id) {
      this.id = id;
    }

    String id() {
      return id;
    }
  }

  /** Sizes of one tree's stash. */
  private static final class Tally {
    private final List<Integer> maxAt = new ArrayList<>();
    private long[] samples = new long[64];
    private int largest;

    void add(int stash) {
      if (stash >= samples.length) {
        samples = Arrays.copyOf(samples, 2 * stash);
      }
      samples[stash]++;
      largest = Math.max(largest, stash);
    }

    List<Long> samples() {
      List<Long> list = new ArrayList<>();
      int end = samples.length;
      while (end > 0 && samples[end - 1] == 0) {
        end--;
      }
      for (int stash = 0; stash < end; stash++) {
        list.add(samples[stash]);
      }
      return list;
    }
  }

  /** Runs it. */
  Point run(Point.Key key, Target target, Runnable alive) throws IOException {
    Random random = new Random(key.run());
    Tally[] tallies = new Tally[TreeParameters.of(config).trees().length];
    Arrays.setAll(tallies, i -> new Tally());
    List<Long> blocksAt = new ArrayList<>();
    long done = 0;
    long queries = 0;
    long position = 0;
    while (done < blocks) {
      int count = count(random);
      position = next(position, count, random);
      if (queries % 3 == 0) {
        target.device().write(position, count);
      } else {
        target.device().read(position, count, false);
      }
      done += count;
      queries++;
      alive.run();
      List<OramStats.TreeStats> trees = target.device().stats().trees();
      for (int tree = 0; tree < tallies.length; tree++) {
        tallies[tree].add(trees.get(tree).heldBlocks());
      }
      if (done >= blocks / CHECKPOINTS * (blocksAt.size() + 1) || done >= blocks) {
        blocksAt.add(done);
        for (int tree = 0; tree < tallies.length; tree++) {
          tallies[tree].maxAt.add(tallies[tree].largest);
        }
      }
    }
    return new Point(key, queries, done, 0, Map.of(), 0, 0, tails(tallies, blocksAt, target));
  }

  private static List<Point.StashTail> tails(Tally[] tallies, List<Long> blocksAt, Target target) {
    List<Point.StashTail> tails = new ArrayList<>();
    for (int tree = 0; tree < tallies.length; tree++) {
      int rangeBlocks = target.device().stats().trees().get(tree).rangeBlocks();
      tails.add(
          new Point.StashTail(rangeBlocks, tallies[tree].maxAt, blocksAt, tallies[tree].samples()));
    }
    return tails;
  }

  private int count(Random random) {
    int longest = config.maxRangeBlocks();
    return switch (kind) {
      case SINGLE, IN_ORDER -> 1;
      case RANGES, SEQUENTIAL -> longest;
      case MIXED -> 1 + random.nextInt(longest);
    };
  }

  private long next(long position, int count, Random random) {
    if (kind == Kind.SEQUENTIAL || kind == Kind.IN_ORDER) {
      long following = position + count;
      return following + count <= config.blocks() ? following : 0;
    }
    return random.nextInt((int) (config.blocks() - count + 1));
  }
}
