package io.github.roram.bench.experiment.stash;

import io.github.roram.OramConfig;
import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.contender.DeviceShape;
import io.github.roram.bench.experiment.Experiment;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.Job;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Chapter;
import io.github.roram.parameters.TreeParameters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Largest stash and its tail (Theorem 1, §VII-D). */
public final class StashExperiment implements Experiment {

  static final String TAIL = "stash-tail";
  static final String MAX = "stash-max";
  static final String BOUNDS = "stash-bounds";

  private static final String ID = "stash";
  private static final int MAX_RANGE = 256;
  private static final int BLOCKS_PER_RANGE = 16;
  private static final int USUAL_BLOCK_BYTES = 4096;

  /** Public for {@link java.util.ServiceLoader}. */
  public StashExperiment() {}

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String help() {
    return "the largest stash and its tail";
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
    return Job.of(
        contender,
        config,
        options,
        run,
        false,
        List.of(new Job.Step(key, work, (subject, alive) -> load.run(key, subject, alive))));
  }

  /** Three classes: single blocks, the longest ranges, and one between. */
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
  public boolean isSelected(Point.Key point, ExperimentOptions.Selection selection) {
    return true;
  }

  @Override
  public void write(List<Point> points, ExperimentOptions options) throws IOException {
    new StashResults(points).write(options.directory());
  }

  @Override
  public Chapter chapter() {
    return new Chapter(
        List.of(
            new FigureStyle(
                TAIL,
                "Tail of the stash",
                "Theorem 1",
                "Stash (blocks)",
                "Share of accesses that left at least so many",
                FigureStyle.Kind.LOGARITHMIC_CURVES),
            new FigureStyle(
                MAX,
                "Largest stash so far",
                "Section VII-D",
                "Block accesses",
                "Largest stash (blocks)",
                FigureStyle.Kind.CURVES)),
        List.of(
            TableStyle.open(
                BOUNDS,
                "Stash",
                "The largest stash of any run and load, what the library refuses to exceed, and what"
                    + " Theorem 1 allows with a probability of 2^-80 (for the paper's"
                    + " parameters).")));
  }
}
