package io.github.roram.bench.experiment.maps;

import io.github.roram.bench.experiment.Averages;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.report.Series;
import io.github.roram.bench.report.Table;
import io.github.roram.bench.report.Units;
import io.github.roram.bench.statistics.Statistics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Seeks, requests and bytes of look-ups against N, and the exponents.
 *
 * @param points of the experiment
 */
record MapsResults(List<Point> points) {

  static final String CURVES = "maps-n";
  static final String FITS = "maps-fits";
  static final String COUNTS = "maps-counts";

  private static final String RANGE = "r4";
  private static final int LEAST_POINTS = 3;
  private static final List<String> COSTS =
      List.of(MapsExperiment.SEEKS, MapsExperiment.REQUESTS, MapsExperiment.BYTES);
  private static final List<String> FIT_COLUMNS =
      List.of("map", "cost", "range", "exponent", "95 % interval", "R2", "§IV-D, Table I");
  private static final List<String> COUNT_COLUMNS =
      List.of("map", "blocks", "range", "seeks", "requests", "KB", "of all seeks", "of all bytes");

  void write(Path directory) throws IOException {
    List<Series> rows = new ArrayList<>();
    List<List<String>> fits = new ArrayList<>();
    for (String range : List.of("r0", RANGE)) {
      List<Point> of = points.stream().filter(p -> p.key().x().endsWith(range)).toList();
      for (String cost : COSTS) {
        List<Series> curves =
            Averages.series(cost.toLowerCase(Locale.ROOT), of, each("map" + cost)).stream()
                .map(MapsResults::withNumber)
                .toList();
        fits.addAll(fits(curves, cost, range));
        if (range.equals(RANGE) && !cost.equals(MapsExperiment.BYTES)) {
          rows.addAll(curves); // bytes have the curves of seeks
        }
      }
    }
    Series.write(rows, directory, CURVES);
    new Table(FIT_COLUMNS, fits).write(directory, FITS);
    new Table(COUNT_COLUMNS, counts()).write(directory, COUNTS);
  }

  private static ToDoubleFunction<Point> each(String figure) {
    return point -> point.figure(figure) / point.queries();
  }

  /** The exponent of N in "n10r4". */
  private static String number(String x) {
    return x.substring(1, x.indexOf('r'));
  }

  private static Series withNumber(Series row) {
    return new Series(
        row.panel(), row.series(), number(row.x()), row.mean(), row.low(), row.high(), row.runs());
  }

  private static List<List<String>> fits(List<Series> curves, String cost, String range) {
    List<List<String>> fits = new ArrayList<>();
    for (String map : curves.stream().map(Series::series).distinct().toList()) {
      // The client may hold all labels of a small store.
      List<Series> curve =
          curves.stream().filter(row -> row.series().equals(map) && row.mean() > 0).toList();
      if (curve.size() < LEAST_POINTS) {
        continue;
      }
      double[] x = curve.stream().mapToDouble(row -> Double.parseDouble(row.x())).toArray();
      double[] y = curve.stream().mapToDouble(Series::mean).toArray();
      Statistics.Fit fit = Statistics.fit(x, y);
      fits.add(
          List.of(
              map,
              cost.toLowerCase(Locale.ROOT),
              "2^" + range.substring(1),
              Units.number(fit.exponent()),
              Units.number(fit.exponent() - fit.halfWidth())
                  + " to "
                  + Units.number(fit.exponent() + fit.halfWidth()),
              Double.isNaN(fit.determination())
                  ? "constant"
                  : String.format(Locale.ROOT, "%.4f", fit.determination()),
              expected(map, cost)));
    }
    return fits;
  }

  /**
   * One recursion takes log N requests of log N seeks each; a map for each tree, log N of these.
   */
  private static String expected(String map, String cost) {
    int exponent = cost.equals(MapsExperiment.REQUESTS) ? 1 : 2;
    return String.valueOf(map.startsWith("one-map") ? exponent : exponent + 1);
  }

  private List<List<String>> counts() {
    List<List<String>> rows = new ArrayList<>();
    for (Map.Entry<Averages.Place, List<Point>> at : Averages.group(points).entrySet()) {
      String x = at.getKey().x();
      rows.add(
          List.of(
              at.getKey().contender(),
              "2^" + number(x),
              "2^" + x.substring(x.indexOf('r') + 1),
              mean(at.getValue(), each("mapSeeks"), "%.1f"),
              mean(at.getValue(), each("mapRequests"), "%.1f"),
              mean(at.getValue(), point -> each("mapBytes").applyAsDouble(point) / 1e3, "%.1f"),
              mean(at.getValue(), share(MapsExperiment.SEEKS), "%.2f"),
              mean(at.getValue(), share(MapsExperiment.BYTES), "%.3f")));
    }
    return rows;
  }

  private static ToDoubleFunction<Point> share(String cost) {
    return point -> point.figure("map" + cost) / point.figure("all" + cost);
  }

  private static String mean(List<Point> runs, ToDoubleFunction<Point> value, String format) {
    return String.format(Locale.ROOT, format, Averages.estimate(runs, value).mean());
  }
}
