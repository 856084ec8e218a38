package io.github.roram.bench.experiment;

import io.github.roram.bench.experiment.Statistics.Estimate;
import io.github.roram.bench.figure.Series;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Turns finished points into the CSV and JSON that figures and report are drawn from. */
final class Results {

  private final ExperimentOptions options;
  private final Map<ExperimentKind, List<Point>> points;

  Results(ExperimentOptions options, Map<ExperimentKind, List<Point>> points) {
    this.options = options;
    this.points = points;
  }

  /** Writes those of the experiments that were run; others that stand there stay. */
  void write(Path directory) throws IOException {
    for (Map.Entry<ExperimentKind, List<Point>> entry : points.entrySet()) {
      List<Point> of = entry.getValue();
      switch (entry.getKey()) {
        case FIG5 -> Series.write(perDevice(of, Results::perBlock), directory, "fig5");
        case FIG6 -> Series.write(perDevice(of, Results::perBlock), directory, "fig6");
        case FIG7 -> Series.write(perDevice(of, Results::throughput), directory, "fig7");
        case LEVERS ->
            new LeverResults(of)
                .write(directory, new TracePlan(options, Scale.of(options.scale())).blocks());
        case STASH -> new StashResults(of).write(directory);
        case COST -> new CostResults(of).write(directory);
      }
    }
    new Breakdown(points).write(directory);
    Claims.of(Series.read(directory, "fig6"), Series.read(directory, "fig7"))
        .write(directory, "claims");
    About.of(options, points).write(directory, "about");
  }

  private static double perBlock(Medium medium, Point point) {
    return medium.seconds(point) / point.blocks();
  }

  private static double throughput(Medium medium, Point point) {
    return point.queries() / medium.seconds(point);
  }

  /** A figure of a point on a medium. */
  private interface Measurement {
    double of(Medium medium, Point point);
  }

  private List<Series> perDevice(List<Point> of, Measurement measurement) {
    List<Series> rows = new ArrayList<>();
    for (Medium medium : options.media()) {
      List<Point> there = of.stream().filter(p -> p.key().real() == !medium.isModelled()).toList();
      rows.addAll(series(medium.id(), there, point -> measurement.of(medium, point)));
    }
    return rows;
  }

  /** A row for each contender and x: the mean over the runs. */
  static List<Series> series(String panel, List<Point> of, ToDoubleFunction<Point> value) {
    List<Series> rows = new ArrayList<>();
    group(of).forEach((place, runs) -> rows.add(row(panel, place, estimate(runs, value))));
    return rows;
  }

  private static Series row(String panel, Place place, Estimate estimate) {
    return new Series(
        panel,
        place.contender(),
        place.x(),
        estimate.mean(),
        estimate.low(),
        estimate.high(),
        estimate.samples());
  }

  static Estimate estimate(List<Point> runs, ToDoubleFunction<Point> value) {
    return Statistics.estimate(runs.stream().mapToDouble(value).toArray());
  }

  /** Where a point stands in a figure. */
  record Place(String contender, String x) {}

  /** The runs of each place, in the order of the points. */
  static Map<Place, List<Point>> group(List<Point> of) {
    Map<Place, List<Point>> places = new LinkedHashMap<>();
    for (Point point : of) {
      places
          .computeIfAbsent(
              new Place(point.key().contender(), point.key().x()), place -> new ArrayList<>())
          .add(point);
    }
    return places;
  }
}
