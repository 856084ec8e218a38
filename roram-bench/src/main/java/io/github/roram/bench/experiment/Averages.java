package io.github.roram.bench.experiment;

import io.github.roram.bench.experiment.Experiment.Output;
import io.github.roram.bench.experiment.Experiment.Results;
import io.github.roram.bench.experiment.ExperimentOptions.ExperimentDevice;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Series;
import io.github.roram.bench.report.Statistics;
import io.github.roram.bench.report.Statistics.Estimate;
import io.github.roram.bench.report.Statistics.Fit;
import io.github.roram.bench.report.Table;
import io.github.roram.bench.report.Units;
import io.github.roram.storage.device.DeviceModel;
import io.github.roram.storage.device.IoCounts;
import io.github.roram.store.IoPhase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** Means of points over their runs. */
public final class Averages {

  private static final int LEAST_POINTS = 3;

  private Averages() {}

  /** A figure of a point on a medium. */
  @FunctionalInterface
  public interface Measurement {
    /** Returns the figure. */
    double of(ExperimentDevice medium, Point point);
  }

  /** Returns a panel for each medium, a row for each contender and x. */
  public static List<Series> perDevice(Results results, Measurement measurement) {
    List<Series> rows = new ArrayList<>();
    for (ExperimentDevice medium : results.options().media()) {
      List<Point> there = medium.isModelled() ? results.modelled() : results.measured();
      rows.addAll(series(medium.id(), there, point -> measurement.of(medium, point)));
    }
    return rows;
  }

  /** Returns a row for each contender and x: the mean over the runs. */
  public static List<Series> series(String panel, List<Point> of, ToDoubleFunction<Point> value) {
    List<Series> rows = new ArrayList<>();
    group(of).forEach((place, runs) -> rows.add(row(panel, place, estimate(runs, value))));
    return rows;
  }

  private static Series row(String panel, PointPlace place, Estimate estimate) {
    return new Series(
        panel,
        place.contender(),
        place.x(),
        estimate.mean(),
        estimate.low(),
        estimate.high(),
        estimate.samples());
  }

  /** Returns the mean of points over runs. */
  public static Estimate estimate(List<Point> runs, ToDoubleFunction<Point> value) {
    return Statistics.estimate(runs.stream().mapToDouble(value).toArray());
  }

  /** Returns the same without its interval. */
  public static double mean(List<Point> runs, ToDoubleFunction<Point> value) {
    return estimate(runs, value).mean();
  }

  /** Returns a row of a table for each contender and x. */
  public static List<List<String>> rows(
      List<Point> of, BiFunction<PointPlace, List<Point>, List<String>> row) {
    List<List<String>> rows = new ArrayList<>();
    group(of).forEach((place, runs) -> rows.add(row.apply(place, runs)));
    return rows;
  }

  /**
   * Returns a row for each x and figure: its mean over runs, and half of its 95 % interval.
   *
   * @param header of x, figure, mean and interval
   * @param figures names of figures of the points, and what they are in words
   * @param format of a number
   */
  public static Table figures(
      List<String> header, Map<String, String> figures, String format, List<Point> of) {
    List<List<String>> rows = new ArrayList<>();
    group(of)
        .forEach(
            (place, runs) ->
                figures.forEach(
                    (name, text) -> {
                      Estimate estimate = estimate(runs, point -> point.figure(name));
                      String mean = String.format(Locale.ROOT, format, estimate.mean());
                      String interval =
                          estimate.samples() < 2
                              ? ""
                              : String.format(Locale.ROOT, "± " + format, estimate.halfWidth());
                      rows.add(List.of(place.x(), text, mean, interval));
                    }));
    return new Table(header, rows);
  }

  /**
   * Returns a fit of every curve of three points above 0 or more, by its name.
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
  public record PointPlace(String contender, String x) {}

  /** Returns the runs of each place, in the order of the points. */
  public static Map<PointPlace, List<Point>> group(List<Point> of) {
    Map<PointPlace, List<Point>> places = new LinkedHashMap<>();
    for (Point point : of) {
      places
          .computeIfAbsent(
              new PointPlace(point.key().contender(), point.key().x()), place -> new ArrayList<>())
          .add(point);
    }
    return places;
  }

  /**
   * What modelled times consist of: reads of paths, evictions of the accessed tree, evictions of
   * the other trees, position map.
   *
   * @param experiment id of the experiment
   * @param unit what the figures are of, as "block"
   * @param amount how many of these a point has
   */
  public record Breakdown(String experiment, String unit, ToLongFunction<Point> amount) {

    private static final List<String> COLUMNS =
        List.of(
            "device",
            "scheme",
            "x",
            "read s",
            "own eviction s",
            "other trees s",
            "position map s",
            "sum s",
            "seeks",
            "requests",
            "MB");
    private static final double BYTES_PER_MB = 1e6;

    /** Returns the table, unless nothing was modelled. */
    public Output output() {
      return Output.table(
              TableStyle.folded(
                  experiment + "-breakdown",
                  "Where the time of " + experiment + " goes",
                  "Modelled seconds per " + unit + ", by what they are for."),
              results -> table(results.modelled()))
          .unlessEmpty(Results::modelled);
    }

    private Table table(List<Point> modelled) {
      List<List<String>> rows = new ArrayList<>();
      for (DeviceModel device : DeviceModel.PAPER) {
        rows.addAll(rows(modelled, (place, runs) -> row(device, place, runs)));
      }
      return new Table(COLUMNS, rows);
    }

    private List<String> row(DeviceModel device, Averages.PointPlace place, List<Point> runs) {
      double all = runs.stream().mapToLong(amount).sum();
      double read = seconds(device, runs, IoPhase.READ);
      double evict =
          seconds(device, runs, IoPhase.EVICT_READ) + seconds(device, runs, IoPhase.EVICT_WRITE);
      double map = seconds(device, runs, IoPhase.POSITION_MAP);
      double own = runs.get(0).ownEvictionShare();
      IoCounts total = runs.stream().map(Point::total).reduce(IoCounts.ZERO, IoCounts::plus);
      return List.of(
          device.id(),
          place.contender(),
          place.x(),
          Units.number(read / all),
          Units.number(evict * own / all),
          Units.number(evict * (1 - own) / all),
          Units.number(map / all),
          Units.number((read + evict + map) / all),
          Units.number(total.seeks() / all),
          Units.number(total.requests() / all),
          Units.number(total.bytes() / all / BYTES_PER_MB));
    }

    private static double seconds(DeviceModel device, List<Point> runs, IoPhase phase) {
      return runs.stream().mapToDouble(point -> device.seconds(point.of(phase))).sum();
    }
  }
}
