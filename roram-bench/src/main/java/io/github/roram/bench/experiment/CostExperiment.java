package io.github.roram.bench.experiment;

import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.experiment.RangeJobs.Place;
import io.github.roram.bench.report.Chapter;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Series;
import io.github.roram.bench.report.Statistics;
import io.github.roram.bench.report.Table;
import io.github.roram.bench.report.Units;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Seeks, round trips and bytes against N and r (Table I). */
public final class CostExperiment implements Experiment {

  static final String FITS = "cost-fits";

  private static final String ID = "cost";
  private static final int RANGE_EXPONENT = 4;
  private static final int BLOCKS_PER_RANGE = 16;

  /** Public for {@link java.util.ServiceLoader}. */
  public CostExperiment() {}

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String help() {
    return "seeks, round trips and bytes against N and r";
  }

  @Override
  public List<Job> jobs(ExperimentOptions options, int run) {
    List<Job> jobs = new ArrayList<>();
    if (!options.isModelled()) {
      return jobs;
    }
    List<Integer> exponents =
        options
            .scale()
            .pick(
                List.of(8, 9, 10),
                List.of(10, 12, 14, 16),
                List.of(10, 12, 14, 16, 18, 20),
                List.of(10, 12, 14, 16, 18, 20, 22));
    int largest = exponents.get(exponents.size() - 1);
    for (Contender contender :
        List.of(Contenders.PATH_STRONG, Contenders.RORAM_PAPER, Contenders.withoutMemory())) {
      for (int exponent : exponents) {
        jobs.add(job(options, contender, run, exponent, exponent == largest));
      }
    }
    return jobs;
  }

  /** One range size at every N; all of them at the largest. */
  private static Job job(
      ExperimentOptions options, Contender contender, int run, int n, boolean allRanges) {
    long blocks = 1L << n;
    int maxRange = (int) (blocks / BLOCKS_PER_RANGE);
    List<Place> places = new ArrayList<>();
    places.add(new Place("n" + n, 1 << RANGE_EXPONENT));
    for (int exponent = 0; allRanges && 1 << exponent <= maxRange; exponent += 2) {
      places.add(new Place("r" + exponent, 1 << exponent));
    }
    return new RangeJobs(ID, options)
        .modelled(contender, contender.config(blocks, maxRange), run, places);
  }

  @Override
  public void write(List<Point> points, ExperimentOptions options) throws IOException {
    new CostResults(points).write(options.directory());
  }

  @Override
  public Chapter chapter() {
    return new Chapter(
        List.of(
            figure("cost-n", "Cost of a range of 2^4 blocks", "Device (2^x blocks)"),
            figure("cost-r", "Cost of a range", "Range size (2^x blocks)")),
        List.of(
            TableStyle.open(
                FITS,
                "Exponents",
                "Least squares on logarithms: cost = a·(log N)^b for a range of 2^4 blocks on"
                    + " devices with ranges up to N/16, and a·r^b at the largest device.")));
  }

  private static FigureStyle figure(String id, String title, String xAxis) {
    return new FigureStyle(
        id, title, "Table I", xAxis, "Count per access", FigureStyle.Kind.LOGARITHMIC_CURVES);
  }

  /** Seeks, round trips and bytes of an access against N and r, and the exponents. */
  static final class CostResults {

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
}
