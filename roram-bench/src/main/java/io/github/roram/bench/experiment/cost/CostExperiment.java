package io.github.roram.bench.experiment.cost;

import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.experiment.Experiment;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.Job;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.experiment.RangeJobs.Place;
import io.github.roram.bench.experiment.RangeJobs;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Chapter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Seeks, round trips and bytes against N and r (Table I). */
public final class CostExperiment implements Experiment {

  static final String FITS = "cost-fits";

  private static final String ID = "cost";
  private static final int RANGE_EXPONENT = 4;
  private static final int BLOCKS_PER_RANGE = 16;

  /** Public for {@link java.util.ServiceLoader}. */
  public CostExperiment() {}

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String help() {
    return "seeks, round trips and bytes against N and r";
  }

  @Override
  public List<Job> jobs(ExperimentOptions options, int run) {
    List<Job> jobs = new ArrayList<>();
    if (!options.isModelled()) {
      return jobs;
    }
    List<Integer> exponents =
        options
            .scale()
            .pick(
                List.of(8, 9, 10),
                List.of(10, 12, 14, 16),
                List.of(10, 12, 14, 16, 18, 20),
                List.of(10, 12, 14, 16, 18, 20, 22));
    int largest = exponents.get(exponents.size() - 1);
    for (Contender contender :
        List.of(Contenders.PATH_STRONG, Contenders.RORAM_PAPER, Contenders.withoutMemory())) {
      for (int exponent : exponents) {
        jobs.add(job(options, contender, run, exponent, exponent == largest));
      }
    }
    return jobs;
  }

  /** One range size at every N; all of them at the largest. */
  private static Job job(
      ExperimentOptions options, Contender contender, int run, int n, boolean allRanges) {
    long blocks = 1L << n;
    int maxRange = (int) (blocks / BLOCKS_PER_RANGE);
    List<Place> places = new ArrayList<>();
    places.add(new Place("n" + n, 1 << RANGE_EXPONENT));
    for (int exponent = 0; allRanges && 1 << exponent <= maxRange; exponent += 2) {
      places.add(new Place("r" + exponent, 1 << exponent));
    }
    return new RangeJobs(ID, options)
        .modelled(contender, contender.config(blocks, maxRange), run, places);
  }

  @Override
  public void write(List<Point> points, ExperimentOptions options) throws IOException {
    new CostResults(points).write(options.directory());
  }

  @Override
  public Chapter chapter() {
    return new Chapter(
        List.of(
            figure("cost-n", "Cost of a range of 2^4 blocks", "Device (2^x blocks)"),
            figure("cost-r", "Cost of a range", "Range size (2^x blocks)")),
        List.of(
            TableStyle.open(
                FITS,
                "Exponents",
                "Least squares on logarithms: cost = a·(log N)^b for a range of 2^4 blocks on"
                    + " devices with ranges up to N/16, and a·r^b at the largest device.")));
  }

  private static FigureStyle figure(String id, String title, String xAxis) {
    return new FigureStyle(
        id, title, "Table I", xAxis, "Count per access", FigureStyle.Kind.LOGARITHMIC_CURVES);
  }
}
