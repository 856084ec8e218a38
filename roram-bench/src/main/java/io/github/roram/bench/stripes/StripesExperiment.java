package io.github.roram.bench.stripes;

import io.github.roram.bench.experiment.Experiment;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.Job;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.report.Chapter;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.stripes.MeasuredStripes.MeasuredResults;
import io.github.roram.bench.stripes.ModelledStripes.ModelledResults;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Stores on several disks or servers (rORAM, §VIII-A): seeks in sequence on 1, 2, 4 and 8 modelled
 * disks, and accesses a second with two directories and with two block servers behind lines,
 * measured beside one of each.
 */
public final class StripesExperiment implements Experiment {

  static final String ID = "stripes";

  /** Public for {@link java.util.ServiceLoader}. */
  public StripesExperiment() {}

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String help() {
    return "seeks in sequence on several disks; two directories, two servers";
  }

  @Override
  public List<Job> jobs(ExperimentOptions options, int run) {
    List<Job> jobs = new ArrayList<>();
    if (options.isModelled()) {
      jobs.addAll(new ModelledStripes(options, run).jobs());
    }
    if (options.isMeasured()) {
      jobs.addAll(new MeasuredStripes(options, run).jobs());
    }
    return jobs;
  }

  @Override
  public Set<String> choices() {
    Set<String> all = new HashSet<>();
    ModelledStripes.contenders().forEach(each -> all.add(each.id()));
    MeasuredStripes.LAYOUTS.forEach(each -> all.add(each.id()));
    return all;
  }

  @Override
  public void write(List<Point> points, ExperimentOptions options) throws IOException {
    List<Point> modelled = points.stream().filter(point -> !point.key().real()).toList();
    List<Point> measured = points.stream().filter(point -> point.key().real()).toList();
    new ModelledResults(modelled, options.scale().blocks()).write(options.directory());
    new MeasuredResults(measured).write(options.directory());
  }

  @Override
  public Chapter chapter() {
    return new Chapter(
        List.of(
            figure(
                ModelledResults.SEEKS, "Seeks one after another", "Disks", "Seeks an access", true),
            figure(
                ModelledResults.TIME,
                "Time of an access on modelled hard disks",
                "Disks",
                "Milliseconds",
                true),
            figure(
                MeasuredResults.RATES,
                "One and two directories, one and two servers",
                "Range size (2^x blocks)",
                "Accesses a second",
                false)),
        List.of(
            TableStyle.open(
                ModelledResults.TABLE,
                "Parallel seeks",
                "Seeks in sequence: while the other disks seek too. The bound of §VIII-A: what makes"
                    + " c log N seeks on one disk makes c (1 + log N / k) in sequence on k, as a"
                    + " share of those on one."),
            TableStyle.open(
                MeasuredResults.TABLE,
                "Two beside one, measured",
                "Accesses a second of two directories or servers by those of one.")));
  }

  private static FigureStyle figure(
      String id, String title, String xAxis, String yAxis, boolean curves) {
    return new FigureStyle(
        id,
        title,
        "",
        xAxis,
        yAxis,
        curves ? FigureStyle.Kind.LOGARITHMIC_CURVES : FigureStyle.Kind.BARS);
  }
}
