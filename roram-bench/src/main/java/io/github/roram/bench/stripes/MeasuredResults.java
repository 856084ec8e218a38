package io.github.roram.bench.stripes;

import io.github.roram.bench.experiment.Averages;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.report.Series;
import io.github.roram.bench.report.Table;
import io.github.roram.bench.statistics.Statistics.Estimate;
import io.github.roram.bench.stripes.MeasuredStripes.Layout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Accesses a second on one and on two stores.
 *
 * @param points with data
 */
record MeasuredResults(List<Point> points) {

  static final String RATES = "stripes-measured";
  static final String TABLE = "stripes-ratios";

  private static final List<String> COLUMNS =
      List.of("on", "range", "one, accesses a second", "two", "ratio", "95 % interval");

  void write(Path directory) throws IOException {
    List<Series> rates = new ArrayList<>();
    List<List<String>> rows = new ArrayList<>();
    Map<Averages.Place, List<Point>> places = Averages.group(points);
    for (Layout layout : MeasuredStripes.LAYOUTS) {
      places.forEach(
          (place, runs) -> {
            if (!place.contender().equals(layout.id())) {
              return;
            }
            Estimate rate = rate(runs);
            rates.add(
                new Series(
                    layout.kind(),
                    layout.stripes() == 1 ? "one" : "two",
                    place.x(),
                    rate.mean(),
                    rate.low(),
                    rate.high(),
                    rate.samples()));
            List<Point> one =
                places.get(new Averages.Place(new Layout(layout.servers(), 1).id(), place.x()));
            if (layout.stripes() == 2 && one != null) {
              rows.add(row(layout, place, rate(one), rate));
            }
          });
    }
    Series.write(rates, directory, RATES);
    new Table(COLUMNS, rows).write(directory, TABLE);
  }

  private static Estimate rate(List<Point> runs) {
    return Averages.estimate(runs, point -> point.queries() / point.seconds());
  }

  private static List<String> row(Layout layout, Averages.Place place, Estimate one, Estimate two) {
    Estimate ratio = two.dividedBy(one);
    return List.of(
        layout.kind(),
        "2^" + place.x() + " blocks",
        number(one.mean()),
        number(two.mean()),
        number(ratio.mean()),
        number(ratio.low()) + " to " + number(ratio.high()));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
