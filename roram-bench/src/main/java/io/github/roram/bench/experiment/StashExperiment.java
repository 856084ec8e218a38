package io.github.roram.bench.experiment;

import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.Preset;
import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.contender.Contender.DeviceShape;
import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.experiment.Experiment.NamedExperiment;
import io.github.roram.bench.experiment.ExperimentOptions.Setting;
import io.github.roram.bench.replay.Target;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Series;
import io.github.roram.bench.report.Table;
import io.github.roram.bench.report.Units;
import io.github.roram.parameters.TreeParameters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/** Largest stash and its tail (Theorem 1, §VII-D). */
public final class StashExperiment extends NamedExperiment {

  private static final String ID = "stash";
  private static final int MAX_RANGE = 256;
  private static final int BLOCKS_PER_RANGE = 16;
  private static final int USUAL_BLOCK_BYTES = 4096;

  /** Creates the experiment, for {@link java.util.ServiceLoader}. */
  public StashExperiment() {
    super(ID, "the largest stash and its tail");
  }

  @Override
  public List<Job> jobs(ExperimentOptions options, int run) {
    List<Job> jobs = new ArrayList<>();
    for (Contender contender : Contenders.stashes()) {
      for (StashLoad.Kind kind : StashLoad.Kind.values()) {
        jobs.add(job(options, contender, kind, run));
      }
    }
    return jobs;
  }

  private static Job job(
      ExperimentOptions options, Contender contender, StashLoad.Kind kind, int run) {
    Long wanted = options.stashAccesses();
    long accesses =
        wanted == null ? options.scale().pick(4000L, 200_000L, 1_000_000L, 10_000_000L) : wanted;
    OramConfig config = contender.config(device(options));
    StashLoad load = new StashLoad(config, kind, accesses);
    Point.Key key = options.key(ID, false, contender.id(), kind.id(), run, config, accesses);
    double work =
        contender.traits().bucketsPerBlock(TreeParameters.of(config).trees().length) * accesses;
    return Job.on(contender, config, options, run, false)
        .step(key, work, (target, alive) -> load.run(key, target, alive))
        .build();
  }

  /** Returns a device with three classes: single blocks, the longest ranges, and one in between. */
  private static DeviceShape device(ExperimentOptions options) {
    long blocks = options.scale().pick(1L << 10, 1L << 14, 1L << 16, 1L << 18);
    int maxRange = (int) Math.min(MAX_RANGE, blocks / BLOCKS_PER_RANGE);
    int largest = Integer.numberOfTrailingZeros(maxRange);
    List<Integer> classes = IntStream.of(0, largest / 2, largest).distinct().boxed().toList();
    return new DeviceShape(blocks, USUAL_BLOCK_BYTES, maxRange, classes);
  }

  /** Presets are no schemes to choose from. */
  @Override
  public Set<String> choices() {
    return Set.of();
  }

  @Override
  public Set<Setting> settings() {
    return Set.of(Setting.ACCESSES);
  }

  @Override
  public List<Output> outputs() {
    return List.of(
        Output.figure(
            new FigureStyle(
                "stash-tail",
                "Tail of the stash",
                "Theorem 1",
                "Stash (blocks)",
                "Share of accesses that left at least so many",
                FigureStyle.Kind.LOGARITHMIC_CURVES),
            results -> StashResults.each(results.points(), StashResults::tail)),
        Output.figure(
            new FigureStyle(
                "stash-max",
                "Largest stash so far",
                "Section VII-D",
                "Block accesses",
                "Largest stash (blocks)",
                FigureStyle.Kind.CURVES),
            results -> StashResults.each(results.points(), StashResults::largest)),
        Output.table(
            TableStyle.open(
                "stash-bounds",
                "Stash",
                "The largest stash of any run and load, what the library refuses to exceed, and what"
                    + " Theorem 1 allows with a probability of 2^-80 (for the paper's"
                    + " parameters)."),
            results ->
                new Table(
                    StashResults.BOUND_COLUMNS,
                    StashResults.each(results.points(), StashResults::bounds))));
  }

  /** The largest stash, its tail, and what bounds it. */
  static final class StashResults {

    private static final List<String> BOUND_COLUMNS =
        List.of(
            "preset",
            "load",
            "range blocks",
            "block accesses",
            "largest stash",
            "library's limit",
            "Theorem 1 at 2^-80",
            "paper's observation at L = 2^8",
            "verdict");
    private static final double THEOREM_FACTOR = 3.5;
    private static final int FAILURE_BITS = 80;
    private static final int PAPERS_LARGEST = 1 << 10;
    private static final int MOST_BOUND_POINTS = 40;

    private StashResults() {}

    /** Rows of one tree of a preset. */
    @FunctionalInterface
    private interface OfTree<T> {
      List<T> rows(String preset, List<Point> points, int tree);
    }

    /** Returns the rows of all trees of all presets. */
    static <T> List<T> each(List<Point> points, OfTree<T> ofTree) {
      List<T> rows = new ArrayList<>();
      for (String preset : points.stream().map(p -> p.key().contender()).distinct().toList()) {
        List<Point> of = points.stream().filter(p -> p.key().contender().equals(preset)).toList();
        for (int tree = 0; tree < of.get(0).stash().size(); tree++) {
          rows.addAll(ofTree.rows(preset, of, tree));
        }
      }
      return rows;
    }

    /**
     * Returns the share of accesses with at least a number of blocks in the stash, over all loads
     * and runs.
     */
    private static List<Series> tail(String preset, List<Point> of, int tree) {
      int longest = of.stream().mapToInt(p -> p.stash().get(tree).samples().size()).max().orElse(0);
      long[] counts = new long[longest];
      long all = 0;
      for (Point point : of) {
        List<Long> samples = point.stash().get(tree).samples();
        for (int stash = 0; stash < samples.size(); stash++) {
          counts[stash] += samples.get(stash);
          all += samples.get(stash);
        }
      }
      int rangeBlocks = of.get(0).stash().get(tree).rangeBlocks();
      List<Series> rows = new ArrayList<>();
      long beyond = all;
      int step = Math.max(1, longest / 500);
      for (int stash = 0; stash < longest; stash++) {
        if (stash % step == 0 || stash == longest - 1) {
          double share = (double) beyond / all;
          String x = Integer.toString(stash);
          rows.add(new Series(preset, name(rangeBlocks), x, share, share, share, of.size()));
        }
        beyond -= counts[stash];
      }
      if (preset.equals(Preset.PAPER.id())) {
        rows.addAll(theorem(preset, rangeBlocks, all));
      }
      return rows;
    }

    private static String name(int rangeBlocks) {
      return "ranges of " + rangeBlocks;
    }

    /**
     * Returns Theorem 1: Pr[st > L_i·(λ + 1)] &lt; 3.5·L_i·Z^−λ, down to the probability that
     * samples could show.
     */
    private static List<Series> theorem(String preset, int rangeBlocks, long samples) {
      List<Series> rows = new ArrayList<>();
      int slots = Preset.PAPER.bucketSlots();
      for (int lambda = 0; lambda < MOST_BOUND_POINTS; lambda++) {
        double bound = Math.min(1, THEOREM_FACTOR * rangeBlocks * Math.pow(slots, -lambda));
        String x = Integer.toString(rangeBlocks * (lambda + 1));
        rows.add(Series.exact(preset, "Theorem 1, " + name(rangeBlocks), x, bound));
        if (bound * samples < 1) {
          break;
        }
      }
      return rows;
    }

    /** Returns the largest of all loads; low and high are the least and largest of the runs. */
    private static List<Series> largest(String preset, List<Point> of, int tree) {
      List<Series> rows = new ArrayList<>();
      List<Long> places = of.get(0).stash().get(tree).blocksAt();
      int moments = of.stream().mapToInt(p -> p.stash().get(tree).maxAt().size()).min().orElse(0);
      for (int moment = 0; moment < moments; moment++) {
        int at = moment;
        int most = of.stream().mapToInt(p -> p.stash().get(tree).maxAt().get(at)).max().orElse(0);
        rows.add(
            new Series(
                preset,
                name(of.get(0).stash().get(tree).rangeBlocks()),
                Long.toString(places.get(moment)),
                most,
                most,
                most,
                of.size()));
      }
      return rows;
    }

    private static List<List<String>> bounds(String preset, List<Point> of, int tree) {
      List<List<String>> rows = new ArrayList<>();
      for (String load : of.stream().map(p -> p.key().x()).distinct().toList()) {
        List<Point> loaded = of.stream().filter(p -> p.key().x().equals(load)).toList();
        int rangeBlocks = loaded.get(0).stash().get(tree).rangeBlocks();
        long accesses = loaded.stream().mapToLong(Point::blocks).sum();
        int most =
            loaded.stream().mapToInt(p -> lastOf(p.stash().get(tree).maxAt())).max().orElse(0);
        long limit = libraryLimit(loaded.get(0));
        boolean proven = preset.equals(Preset.PAPER.id());
        long theorem = theoremBound(rangeBlocks);
        boolean within = most <= limit && (!proven || most <= theorem);
        rows.add(
            List.of(
                preset,
                load,
                Integer.toString(rangeBlocks),
                Units.count(accesses),
                Units.count(most),
                Units.count(limit),
                proven ? Units.count(theorem) : "",
                Units.count(PAPERS_LARGEST),
                within ? "within" : "EXCEEDED"));
      }
      return rows;
    }

    private static int lastOf(List<Integer> list) {
      return list.get(list.size() - 1);
    }

    /** Returns the default limit of a store with ranges up to the longest that was run. */
    private static long libraryLimit(Point point) {
      List<Point.StashTail> trees = point.stash();
      int maxRange = trees.get(trees.size() - 1).rangeBlocks();
      return TreeParameters.of(Contenders.LIBRARY_RORAM.config(4L * maxRange, maxRange))
          .stashLimitBlocks();
    }

    /** L_i·(λ + 1) for the λ at which the theorem's probability is 2^-80. */
    static long theoremBound(int rangeBlocks) {
      double slotBits = Math.log(Preset.PAPER.bucketSlots()) / Math.log(2);
      double rangeBits = Math.log(THEOREM_FACTOR * rangeBlocks) / Math.log(2);
      long lambda = (long) Math.ceil((FAILURE_BITS + rangeBits) / slotBits);
      return rangeBlocks * (lambda + 1);
    }
  }

  /**
   * A load that fills stashes, whose sizes are put down after every access. Without treetop and
   * window, the stash is all that the client holds: the blocks of the last access that its
   * evictions left over, and those of accesses before.
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

    private static List<Point.StashTail> tails(
        Tally[] tallies, List<Long> blocksAt, Target target) {
      List<Point.StashTail> tails = new ArrayList<>();
      for (int tree = 0; tree < tallies.length; tree++) {
        int rangeBlocks = target.device().stats().trees().get(tree).rangeBlocks();
        tails.add(
            new Point.StashTail(
                rangeBlocks, tallies[tree].maxAt, blocksAt, tallies[tree].samples()));
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
}
