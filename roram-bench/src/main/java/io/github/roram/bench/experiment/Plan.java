package io.github.roram.bench.experiment;

import io.github.roram.OramConfig;
import io.github.roram.Preset;
import io.github.roram.parameters.TreeParameters;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The jobs of each experiment. */
final class Plan {

  /** What Path ORAM without batches stands at on the axis of batch sizes. */
  static final String NO_BATCH = "none";

  /** Range of the cost experiment's sweep over N. */
  static final int COST_RANGE_EXPONENT = 4;

  private static final int COST_BLOCKS_PER_RANGE = 16;
  private static final int MEASURED_MAX_RANGE = 256;
  private static final int MOST_STASH_LIMIT = 1 << 24;

  private static final List<Contender> MODELLED = List.of(Contender.values());
  private static final List<Contender> MEASURED =
      List.of(
          Contender.PATH_STRONG,
          Contender.PATH_TREETOP,
          Contender.PATH_BATCHED,
          Contender.RORAM,
          Contender.RORAM_TWO,
          Contender.RORAM_ONE);

  private final ExperimentOptions options;
  private final Scale scale;

  Plan(ExperimentOptions options) {
    this.options = options;
    this.scale = Scale.of(options.scale());
  }

  /** The jobs of an experiment. */
  List<Job> jobs(ExperimentKind kind) {
    List<Job> jobs = new ArrayList<>();
    for (int run = 0; run < options.runs(); run++) {
      switch (kind) {
        case FIG5 -> addFig5(jobs, run);
        case FIG6 -> addFig6(jobs, run);
        case FIG7 -> new TracePlan(options, scale).add(jobs, run);
        case LEVERS -> new TracePlan(options, scale).addLevers(jobs, run);
        case STASH -> addStash(jobs, run);
        case COST -> addCost(jobs, run);
      }
    }
    return jobs;
  }

  private void addFig5(List<Job> jobs, int run) {
    if (!options.isModelled()) {
      return;
    }
    OramConfig plain = Contender.PATH_STRONG.config(scale.blocks(), 1);
    jobs.add(rangeJob(ExperimentKind.FIG5, Contender.PATH_STRONG, plain, run, NO_BATCH));
    for (int exponent : scale.batchExponents()) {
      OramConfig config =
          OramConfig.builder(scale.blocks())
              .scheme("path-batched")
              .maxRangeBlocks(1)
              .chunkPaths(1 << exponent)
              .build();
      String x = Integer.toString(exponent);
      jobs.add(rangeJob(ExperimentKind.FIG5, Contender.PATH_BATCHED, config, run, x));
    }
  }

  private Job rangeJob(
      ExperimentKind kind, Contender contender, OramConfig config, int run, String x) {
    return job(
        contender, config, run, List.of(step(kind, contender, config, run, x, 1, false)), false);
  }

  private void addFig6(List<Job> jobs, int run) {
    if (options.isModelled()) {
      for (Contender contender : MODELLED) {
        addRanges(jobs, contender, scale.blocks(), scale.maxRange(), run, false);
      }
    }
    if (options.isMeasured()) {
      int maxRange = Math.min(MEASURED_MAX_RANGE, scale.maxRange());
      for (Contender contender : MEASURED) {
        addRanges(jobs, contender, scale.measuredBlocks(), maxRange, run, true);
      }
    }
  }

  private void addRanges(
      List<Job> jobs, Contender contender, long blocks, int maxRange, int run, boolean real) {
    OramConfig config = contender.config(blocks, maxRange);
    List<Job.Step> steps =
        scale.rangeExponents().stream()
            .filter(exponent -> 1 << exponent <= maxRange)
            .map(
                exponent ->
                    step(
                        ExperimentKind.FIG6,
                        contender,
                        config,
                        run,
                        Integer.toString(exponent),
                        1 << exponent,
                        real))
            .toList();
    jobs.add(job(contender, config, run, steps, real));
  }

  private void addCost(List<Job> jobs, int run) {
    if (!options.isModelled()) {
      return;
    }
    List<Integer> exponents = scale.costExponents();
    int largest = exponents.get(exponents.size() - 1);
    for (Contender contender : List.of(Contender.PATH_STRONG, Contender.RORAM_PAPER)) {
      for (int exponent : exponents) {
        long blocks = 1L << exponent;
        OramConfig config = contender.config(blocks, (int) (blocks / COST_BLOCKS_PER_RANGE));
        addCost(jobs, contender, config, run, exponent, exponent == largest);
      }
    }
    for (int exponent : exponents) {
      long blocks = 1L << exponent;
      int maxRange = (int) (blocks / COST_BLOCKS_PER_RANGE);
      OramConfig plain =
          Contender.treeForEachClass(OramConfig.builder(blocks).maxRangeBlocks(maxRange))
              .treetopBytes(0)
              .windowBlocks(0)
              .chunkPaths(2 * maxRange)
              .build();
      addCost(jobs, Contender.RORAM, plain, run, exponent, exponent == largest);
    }
  }

  /** One range size at every N; all of them at the largest. */
  private void addCost(
      List<Job> jobs, Contender contender, OramConfig config, int run, int n, boolean allRanges) {
    List<Job.Step> steps = new ArrayList<>();
    ExperimentKind kind = ExperimentKind.COST;
    steps.add(step(kind, contender, config, run, "n" + n, 1 << COST_RANGE_EXPONENT, false));
    if (allRanges) {
      for (int exponent = 0; 1 << exponent <= config.maxRangeBlocks(); exponent += 2) {
        steps.add(step(kind, contender, config, run, "r" + exponent, 1 << exponent, false));
      }
    }
    jobs.add(job(contender, config, run, steps, false));
  }

  private Job.Step step(
      ExperimentKind kind,
      Contender contender,
      OramConfig config,
      int run,
      String x,
      int rangeBlocks,
      boolean real) {
    RangeLoad load = new RangeLoad(config, contender, rangeBlocks);
    Point.Key key =
        new Point.Key(
            kind.id(), scale.id(), real, contender.id(), x, run, config.toString(), load.queries());
    return new Job.Step(key, load.work(), (subject, alive) -> load.run(key, subject, alive));
  }

  private Job job(
      Contender contender, OramConfig config, int run, List<Job.Step> steps, boolean real) {
    return new Job(
        contender.id(),
        fillWork(config),
        alive ->
            real
                ? Subject.onDisk(config, options.directory(), run, alive)
                : Subject.pattern(contender, config, alive),
        steps);
  }

  static double fillWork(OramConfig config) {
    return 2.0 * config.blocks() * TreeParameters.of(config).trees().length;
  }

  private void addStash(List<Job> jobs, int run) {
    Long wanted = options.stashAccesses();
    long accesses = wanted == null ? scale.stashAccesses() : wanted;
    int maxRange = (int) Math.min(256, scale.stashBlocks() / COST_BLOCKS_PER_RANGE);
    int largest = Integer.numberOfTrailingZeros(maxRange);
    int[] classes = IntStream.of(0, largest / 2, largest).distinct().toArray();
    for (Preset preset : Preset.values()) {
      for (StashLoad.Kind kind : StashLoad.Kind.values()) {
        OramConfig config =
            OramConfig.builder(scale.stashBlocks())
                .preset(preset)
                .maxRangeBlocks(maxRange)
                .sizeClasses(classes)
                .treetopBytes(0)
                .windowBlocks(0)
                .stashLimitBlocks(MOST_STASH_LIMIT)
                .build();
        jobs.add(stashJob(config, kind, accesses, run));
      }
    }
  }

  private Job stashJob(OramConfig config, StashLoad.Kind kind, long accesses, int run) {
    StashLoad load = new StashLoad(config, kind, accesses);
    Point.Key key =
        new Point.Key(
            ExperimentKind.STASH.id(),
            scale.id(),
            false,
            TreeParameters.of(config).preset().id(),
            kind.id(),
            run,
            config.toString(),
            accesses);
    double work =
        (double) accesses * (TreeParameters.of(config).preset() == Preset.PAPER ? 120 : 40);
    return new Job(
        TreeParameters.of(config).preset().id() + ", " + kind.id(),
        fillWork(config),
        alive -> Subject.pattern(Contender.RORAM, config, alive),
        List.of(new Job.Step(key, work, (subject, alive) -> load.run(key, subject, alive))));
  }

  /** The contenders whose times are modelled. */
  static List<Contender> modelled() {
    return MODELLED;
  }

  /** The contenders that run on this machine's disk. */
  static List<Contender> measured() {
    return MEASURED;
  }

  static int measuredMaxRange() {
    return MEASURED_MAX_RANGE;
  }
}
