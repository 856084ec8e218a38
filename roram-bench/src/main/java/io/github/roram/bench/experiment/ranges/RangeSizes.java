package io.github.roram.bench.experiment.ranges;

import io.github.roram.OramConfig;
import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.experiment.Averages;
import io.github.roram.bench.experiment.Breakdown;
import io.github.roram.bench.experiment.Experiment;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.Job;
import io.github.roram.bench.experiment.Medium;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.experiment.RangeJobs;
import io.github.roram.bench.experiment.Scale;
import io.github.roram.bench.experiment.claim.Claim;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Chapter;
import io.github.roram.bench.report.Series;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Time of a block against range size (§VII-C, figure 6). */
public final class RangeSizes implements Experiment {

  private static final String ID = "fig6";
  private static final int MEASURED_MAX_RANGE = 256;
  private static final Breakdown BREAKDOWN = new Breakdown(ID, "block", Point::blocks);

  /** Public for {@link java.util.ServiceLoader}. */
  public RangeSizes() {}

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String help() {
    return "time of a block against range size";
  }

  @Override
  public List<Job> jobs(ExperimentOptions options, int run) {
    RangeJobs jobs = new RangeJobs(ID, options);
    Scale scale = options.scale();
    List<Job> all = new ArrayList<>();
    if (options.isModelled()) {
      for (Contender contender : Contenders.ALL) {
        OramConfig config = contender.config(scale.blocks(), scale.maxRange());
        all.add(jobs.modelled(contender, config, run, places(scale, scale.maxRange())));
      }
    }
    if (options.isMeasured()) {
      int maxRange = Math.min(MEASURED_MAX_RANGE, scale.maxRange());
      for (Contender contender : Contenders.MEASURED) {
        OramConfig config = contender.config(scale.measuredBlocks(), maxRange);
        all.add(jobs.measured(contender, config, run, places(scale, maxRange)));
      }
    }
    return all;
  }

  private static List<RangeJobs.Place> places(Scale scale, int maxRange) {
    List<Integer> exponents =
        scale.pick(
            List.of(0, 3, 5),
            List.of(0, 2, 4, 5, 6, 8, 10, 12, 14),
            Scale.upTo(14),
            Scale.upTo(14));
    return exponents.stream()
        .filter(exponent -> 1 << exponent <= maxRange)
        .map(RangeJobs.Place::ofExponent)
        .toList();
  }

  @Override
  public boolean isSelected(Point.Key point, ExperimentOptions.Selection selection) {
    return Experiment.super.isSelected(point, selection)
        && (selection.ranges().isEmpty()
            || selection.ranges().contains(Integer.valueOf(point.x())));
  }

  @Override
  public void write(List<Point> points, ExperimentOptions options) throws IOException {
    Series.write(
        Averages.perDevice(options.media(), points, RangeSizes::secondsPerBlock),
        options.directory(),
        ID);
    BREAKDOWN.write(points, options.directory());
  }

  static double secondsPerBlock(Medium medium, Point point) {
    return medium.seconds(point) / point.blocks();
  }

  @Override
  public Chapter chapter() {
    return new Chapter(
        List.of(
            new FigureStyle(
                ID,
                "Time of a block against range size",
                "Figure 6",
                "Range size (2^x blocks)",
                "Query access time per block (seconds)",
                FigureStyle.Kind.LOGARITHMIC_CURVES)),
        List.of(BREAKDOWN.style()));
  }

  @Override
  public List<Claim> claims(Path directory) throws IOException {
    return RangeClaims.of(Series.read(directory, ID));
  }
}
