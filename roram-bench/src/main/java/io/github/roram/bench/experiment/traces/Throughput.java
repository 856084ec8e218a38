package io.github.roram.bench.experiment.traces;

import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.experiment.Averages;
import io.github.roram.bench.experiment.Breakdown;
import io.github.roram.bench.experiment.Experiment;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.Job;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.experiment.claim.Claim;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Chapter;
import io.github.roram.bench.report.Series;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Queries a second of three captured workloads (§VII-D, figure 7). */
public final class Throughput implements Experiment {

  private static final String ID = "fig7";
  private static final Breakdown BREAKDOWN = new Breakdown(ID, "query", Point::queries);

  /** Public for {@link java.util.ServiceLoader}. */
  public Throughput() {}

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String help() {
    return "three captured workloads";
  }

  @Override
  public List<Job> jobs(ExperimentOptions options, int run) {
    TraceJobs jobs = new TraceJobs(ID, options);
    List<Job> all = new ArrayList<>();
    if (options.isModelled()) {
      Contenders.ALL.forEach(contender -> all.add(jobs.modelled(contender, run)));
    }
    if (options.isMeasured()) {
      Contenders.MEASURED.forEach(contender -> all.add(jobs.measured(contender, run)));
    }
    return all;
  }

  @Override
  public void write(List<Point> points, ExperimentOptions options) throws IOException {
    List<Series> rows =
        Averages.perDevice(
            options.media(), points, (medium, point) -> point.queries() / medium.seconds(point));
    Series.write(rows, options.directory(), ID);
    BREAKDOWN.write(points, options.directory());
  }

  @Override
  public Chapter chapter() {
    return new Chapter(
        List.of(
            new FigureStyle(
                ID,
                "Query throughput",
                "Figure 7",
                "Benchmark",
                "Throughput (queries/second)",
                FigureStyle.Kind.BARS)),
        List.of(BREAKDOWN.style()));
  }

  @Override
  public List<Claim> claims(Path directory) throws IOException {
    return TraceClaims.of(Series.read(directory, ID));
  }
}
