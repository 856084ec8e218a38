package io.github.roram.bench.experiment;

import io.github.roram.bench.experiment.Experiment.Results;
import io.github.roram.bench.report.Series;
import io.github.roram.bench.report.Statistics;
import io.github.roram.bench.report.Statistics.Estimate;
import io.github.roram.bench.report.Statistics.Fit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Means of points over their runs. */
public final class Averages {

  private static final int LEAST_POINTS = 3;

  private Averages() {}

  /** A figure of a point on a medium. */
  @FunctionalInterface
  public interface Measurement {
    /** The figure. */
    double of(Medium medium, Point point);
  }

  /** A panel for each medium, a row for each contender and x. */
  public static List<Series> perDevice(Results results, Measurement measurement) {
    List<Series> rows = new ArrayList<>();
    for (Medium medium : results.options().media()) {
      List<Point> there = medium.isModelled() ? results.modelled() : results.measured();
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

  /**
   * A fit of every curve of three points above 0 or more, by its name.
   *
   * @param x the number that a place stands for
   */
  public static Map<String, Fit> fits(List<Series> rows, ToDoubleFunction<String> x) {
    Map<String, Fit> fits = new LinkedHashMap<>();
    for (String name : rows.stream().map(Series::series).distinct().toList()) {
      List<Series> curve =
          rows.stream().filter(row -> row.series().equals(name) && row.mean() > 0).toList();
      if (curve.size() >= LEAST_POINTS) {
        double[] places = curve.stream().mapToDouble(row -> x.applyAsDouble(row.x())).toArray();
        double[] means = curve.stream().mapToDouble(Series::mean).toArray();
        fits.put(name, Statistics.fit(places, means));
      }
    }
    return fits;
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
