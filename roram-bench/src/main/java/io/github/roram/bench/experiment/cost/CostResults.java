package io.github.roram.bench.experiment.cost;

import io.github.roram.bench.experiment.Averages;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.report.Series;
import io.github.roram.bench.report.Table;
import io.github.roram.bench.report.Units;
import io.github.roram.bench.statistics.Statistics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Seeks, round trips and bytes of an access against N and r, and the exponents. */
final class CostResults {

  private static final List<String> FIT_COLUMNS =
      List.of("scheme", "cost", "against", "exponent", "95 % interval", "R2", "Table I");
  private static final int LEAST_POINTS = 3;

  private final List<Point> points;

  CostResults(List<Point> points) {
    this.points = points;
  }

  private static Map<String, ToDoubleFunction<Point>> costs() {
    Map<String, ToDoubleFunction<Point>> costs = new LinkedHashMap<>();
    costs.put("seeks", point -> (double) point.total().seeks() / point.queries());
    costs.put("round-trips", point -> (double) point.total().roundTrips() / point.queries());
    costs.put("bytes", point -> (double) point.total().bytes() / point.queries());
    return costs;
  }

  /** Writes curves and fits. */
  void write(Path directory) throws IOException {
    List<List<String>> fits = new ArrayList<>();
    sweep(directory, "n", fits);
    sweep(directory, "r", fits);
    new Table(FIT_COLUMNS, fits).write(directory, CostExperiment.FITS);
  }

  private void sweep(Path directory, String axis, List<List<String>> fits) throws IOException {
    List<Point> of = points.stream().filter(p -> p.key().x().startsWith(axis)).toList();
    List<Series> rows = new ArrayList<>();
    costs()
        .forEach(
            (cost, value) -> {
              List<Series> curve = Averages.series(cost, of, value);
              curve.forEach(row -> rows.add(withNumber(row)));
              fits.addAll(fits(axis, cost, curve));
            });
    Series.write(rows, directory, "cost-" + axis);
  }

  private static Series withNumber(Series row) {
    return new Series(
        row.panel(),
        row.series(),
        row.x().substring(1),
        row.mean(),
        row.low(),
        row.high(),
        row.runs());
  }

  private static List<List<String>> fits(String axis, String cost, List<Series> rows) {
    List<List<String>> fits = new ArrayList<>();
    for (String scheme : rows.stream().map(Series::series).distinct().toList()) {
      List<Series> curve = rows.stream().filter(row -> row.series().equals(scheme)).toList();
      if (curve.size() < LEAST_POINTS) {
        continue;
      }
      double[] x = curve.stream().mapToDouble(row -> abscissa(axis, row.x())).toArray();
      double[] y = curve.stream().mapToDouble(Series::mean).toArray();
      Statistics.Fit fit = Statistics.fit(x, y);
      fits.add(
          List.of(
              scheme,
              cost,
              axis.equals("n") ? "log N" : "r",
              Units.number(fit.exponent()),
              Units.number(fit.exponent() - fit.halfWidth())
                  + " to "
                  + Units.number(fit.exponent() + fit.halfWidth()),
              Double.isNaN(fit.determination())
                  ? "constant"
                  : String.format(Locale.ROOT, "%.4f", fit.determination()),
              expected(axis, cost, scheme)));
    }
    return fits;
  }

  private static double abscissa(String axis, String x) {
    double exponent = Double.parseDouble(x.substring(1));
    return axis.equals("n") ? exponent : Math.pow(2, exponent);
  }

  /** What Table I says, with a local position map: a logarithm less than with a recursive one. */
  private static String expected(String axis, String cost, String scheme) {
    boolean path = scheme.startsWith("path");
    if (axis.equals("r")) {
      return path || cost.equals("bytes") ? "1" : "0";
    }
    if (path) {
      return cost.equals("round-trips") ? "0" : "1";
    }
    return cost.equals("round-trips") ? "1" : "2";
  }
}
