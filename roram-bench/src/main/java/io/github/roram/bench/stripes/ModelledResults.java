package io.github.roram.bench.stripes;

import io.github.roram.bench.experiment.Averages;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.report.Series;
import io.github.roram.bench.report.Table;
import io.github.roram.bench.statistics.Statistics.Estimate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Seeks in sequence against the number of disks, beside the bound of §VIII-A.
 *
 * @param points without data
 * @param blocks N
 */
record ModelledResults(List<Point> points, long blocks) {

  static final String SEEKS = "stripes-seeks";
  static final String TIME = "stripes-time";
  static final String TABLE = "stripes-bound";

  private static final List<String> COLUMNS =
      List.of(
          "scheme",
          "range",
          "disks",
          "seeks in sequence an access",
          "of one disk's",
          "bound of §VIII-A",
          "longest access",
          "ms on hard disks");

  void write(Path directory) throws IOException {
    List<Series> seeks = new ArrayList<>();
    List<Series> times = new ArrayList<>();
    List<List<String>> rows = new ArrayList<>();
    for (Map.Entry<Averages.Place, List<Point>> at : Averages.group(points).entrySet()) {
      for (int stripes : ModelledStripes.STRIPES) {
        seeks.add(series(at, stripes, each(ModelledStripes.seeks(stripes), 1)));
        times.add(series(at, stripes, each(ModelledStripes.seconds(stripes), 1e3)));
        rows.add(row(at.getKey(), at.getValue(), stripes));
      }
    }
    Series.write(seeks, directory, SEEKS);
    Series.write(times, directory, TIME);
    new Table(COLUMNS, rows).write(directory, TABLE);
  }

  private static ToDoubleFunction<Point> each(String figure, double factor) {
    return point -> factor * point.figure(figure) / point.queries();
  }

  private static Series series(
      Map.Entry<Averages.Place, List<Point>> at, int stripes, ToDoubleFunction<Point> value) {
    Estimate estimate = Averages.estimate(at.getValue(), value);
    return new Series(
        range(at.getKey()),
        at.getKey().contender(),
        Integer.toString(stripes),
        estimate.mean(),
        estimate.low(),
        estimate.high(),
        estimate.samples());
  }

  private static String range(Averages.Place place) {
    return "2^" + place.x() + " blocks";
  }

  /** What makes c log N seeks on one disk makes c (1 + log N / k) in sequence on k: the share. */
  static double boundShare(long blocks, int stripes) {
    double log = Math.log(blocks) / Math.log(2);
    return Math.min(1, (1 + log / stripes) / log);
  }

  private List<String> row(Averages.Place place, List<Point> runs, int stripes) {
    double seeks = Averages.estimate(runs, each(ModelledStripes.seeks(stripes), 1)).mean();
    double ofOne = Averages.estimate(runs, each(ModelledStripes.seeks(1), 1)).mean();
    double longest =
        runs.stream()
            .mapToDouble(run -> run.figure(ModelledStripes.longest(stripes)))
            .max()
            .orElse(0);
    return List.of(
        place.contender(),
        range(place),
        Integer.toString(stripes),
        number("%.2f", seeks),
        number("%.3f", seeks / ofOne),
        number("%.3f", boundShare(blocks, stripes)),
        number("%.0f", longest),
        number(
            "%.1f", Averages.estimate(runs, each(ModelledStripes.seconds(stripes), 1e3)).mean()));
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
