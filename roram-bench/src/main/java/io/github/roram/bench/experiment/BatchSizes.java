package io.github.roram.bench.experiment;

import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.experiment.Experiment.NamedExperiment;
import io.github.roram.bench.experiment.ExperimentOptions.Scale;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Series;
import java.util.ArrayList;
import java.util.List;

/** Path ORAM against batch size, with the locality-aware layout (§VII-C, figure 5). */
public final class BatchSizes extends NamedExperiment {

  /** What Path ORAM without batches stands at on the axis of batch sizes. */
  private static final String NO_BATCH = "none";

  private static final String PAPERS = "paper: batches";

  /** The batch of the paper's figure 6; its figure 5 has no numbers. */
  private static final String PAPERS_BATCH = "5";

  /** Creates the experiment, for {@link java.util.ServiceLoader}. */
  public BatchSizes() {
    super("fig5", "Path ORAM against batch size");
  }

  @Override
  public List<Job> jobs(ExperimentOptions options, int run) {
    List<Job> jobs = new ArrayList<>();
    if (options.isModelled()) {
      jobs.add(job(options, Contenders.SEALED, NO_BATCH, run));
      jobs.add(job(options, Contenders.PATH_STRONG, NO_BATCH, run));
      for (int exponent : exponents(options.scale())) {
        Contender batched = Contenders.batched(1 << exponent);
        jobs.add(job(options, batched, Integer.toString(exponent), run));
      }
    }
    return jobs;
  }

  private Job job(ExperimentOptions options, Contender contender, String x, int run) {
    return new RangeJobs(id(), options)
        .modelled(
            contender,
            contender.config(options.scale().blocks(), 1),
            run,
            List.of(new RangeJobs.Place(x, 1)));
  }

  private static List<Integer> exponents(Scale scale) {
    return scale.pick(
        List.of(0, 2, 5), List.of(0, 1, 2, 3, 4, 5, 6, 8, 10), Scale.upTo(10), Scale.upTo(10));
  }

  @Override
  public List<Output> outputs() {
    FigureStyle times =
        new FigureStyle(
            id(),
            "Path ORAM with batched evictions",
            "Figure 5",
            "Batch size (2^x evictions)",
            "Query access time per block (seconds)",
            FigureStyle.Kind.LOGARITHMIC_CURVES);
    FigureStyle ratios =
        times.ratios(
            Contenders.PATH_STRONG.id(), true, Series.exact("hdd", PAPERS, PAPERS_BATCH, 2));
    return List.of(Output.figure(times, RangeSizes::secondsPerBlock, times, ratios));
  }
}
