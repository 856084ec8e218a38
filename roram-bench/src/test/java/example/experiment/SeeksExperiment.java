package example.experiment;

import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.experiment.Averages;
import io.github.roram.bench.experiment.Experiment;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.Job;
import io.github.roram.bench.experiment.RangeJobs;
import io.github.roram.bench.report.Chapter.FigureStyle;
import java.util.List;
import java.util.stream.Stream;

/** How many seeks an access needs, against the size of its range. */
public final class SeeksExperiment implements Experiment {

  @Override
  public String id() {
    return "seeks";
  }

  @Override
  public String help() {
    return "seeks of an access against range size";
  }

  @Override
  public List<Job> jobs(ExperimentOptions options, int run) {
    RangeJobs jobs = new RangeJobs(id(), options);
    List<RangeJobs.Place> places = Stream.of(0, 2, 4).map(RangeJobs.Place::ofExponent).toList();
    return Stream.of(Contenders.PATH_STRONG, Contenders.RORAM_TWO)
        .map(c -> jobs.modelled(c, c.config(options.scale().blocks(), 16), run, places))
        .toList();
  }

  @Override
  public List<Output> outputs() {
    FigureStyle style =
        new FigureStyle(
            id(),
            "Seeks of an access",
            "",
            "Range size (2^x blocks)",
            "Seeks",
            FigureStyle.Kind.CURVES);
    return List.of(
        Output.figure(
            style,
            results ->
                Averages.series(
                    "counted",
                    results.points(),
                    point -> (double) point.total().seeks() / point.queries())));
  }
}
