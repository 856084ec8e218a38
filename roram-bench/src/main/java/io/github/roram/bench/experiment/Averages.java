package io.github.roram.bench.experiment;

import io.github.roram.bench.report.Series;
import io.github.roram.bench.report.Statistics;
import io.github.roram.bench.report.Statistics.Estimate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** Means of points over their runs. */
public final class Averages {

  private Averages() {}

  /** A figure of a point on a medium. */
  @FunctionalInterface
  public interface Measurement {
    /** The figure. */
    double of(Medium medium, Point point);
  }

  /** A panel for each medium, a row for each contender and x. */
  public static List<Series> perDevice(
      Set<Medium> media, List<Point> points, Measurement measurement) {
    List<Series> rows = new ArrayList<>();
    for (Medium medium : media) {
      List<Point> there =
          points.stream().filter(p -> p.key().real() == !medium.isModelled()).toList();
      rows.addAll(series(medium.id(), there, point -> measurement.of(medium, point)));
    }
    return rows;
  }

  /** A row for each contender and x: the mean over the runs. */
  public static List<Series> series(String panel, List<Point> of, ToDoubleFunction<Point> value) {
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

  /** The mean of points over runs. */
  public static Estimate estimate(List<Point> runs, ToDoubleFunction<Point> value) {
    return Statistics.estimate(runs.stream().mapToDouble(value).toArray());
  }

  /** Where a point stands in a figure. */
  public record Place(String contender, String x) {}

  /** The runs of each place, in the order of the points. */
  public static Map<Place, List<Point>> group(List<Point> of) {
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
