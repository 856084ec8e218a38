package io.github.roram.bench.experiment;

import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.experiment.Experiment.NamedExperiment;
import io.github.roram.bench.experiment.RangeJobs.Place;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Series;
import io.github.roram.bench.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Seeks, round trips and bytes against N and r (Table I). */
public final class CostExperiment extends NamedExperiment {

  private static final String ID = "cost";
  private static final List<String> FIT_COLUMNS =
      List.of("scheme", "cost", "against", "exponent", "95 % interval", "R2", "Table I");
  private static final List<Cost> COSTS =
      List.of(
          new Cost("seeks", point -> (double) point.total().seeks() / point.queries()),
          new Cost("round-trips", point -> (double) point.total().roundTrips() / point.queries()),
          new Cost("bytes", point -> (double) point.total().bytes() / point.queries()));
  private static final int RANGE_EXPONENT = 4;
  private static final int BLOCKS_PER_RANGE = 16;

  /** What an access costs. */
  private record Cost(String name, ToDoubleFunction<Point> of) {}

  /** Creates the experiment, for {@link java.util.ServiceLoader}. */
  public CostExperiment() {
    super(ID, "seeks, round trips and bytes against N and r");
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

  /** Returns a job for one range size at every N; for all of them at the largest. */
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
  public List<Output> outputs() {
    return List.of(
        curves("n", "Cost of a range of 2^4 blocks", "Device (2^x blocks)"),
        curves("r", "Cost of a range", "Range size (2^x blocks)"),
        Output.table(
            TableStyle.open(
                "cost-fits",
                "Exponents",
                "Least squares on logarithms: cost = a·(log N)^b for a range of 2^4 blocks on"
                    + " devices with ranges up to N/16, and a·r^b at the largest device."),
            results -> new Table(FIT_COLUMNS, fits(results.points()))));
  }

  private static Output curves(String axis, String title, String xAxis) {
    return Output.figure(
        new FigureStyle(
            ID + "-" + axis,
            title,
            "Table I",
            xAxis,
            "Count per access",
            FigureStyle.Kind.LOGARITHMIC_CURVES),
        results ->
            COSTS.stream().flatMap(cost -> curves(results.points(), axis, cost).stream()).toList());
  }

  /** Returns the curves of a cost, at numbers. */
  private static List<Series> curves(List<Point> points, String axis, Cost cost) {
    List<Point> of = points.stream().filter(p -> p.key().x().startsWith(axis)).toList();
    return Averages.series(cost.name(), of, cost.of()).stream()
        .map(row -> row.at(row.x().substring(1)))
        .toList();
  }

  private static List<List<String>> fits(List<Point> points) {
    List<List<String>> rows = new ArrayList<>();
    for (String axis : List.of("n", "r")) {
      for (Cost cost : COSTS) {
        Averages.fits(curves(points, axis, cost), x -> abscissa(axis, x))
            .forEach(
                (scheme, fit) -> {
                  List<String> row = new ArrayList<>(List.of(scheme, cost.name()));
                  row.add(axis.equals("n") ? "log N" : "r");
                  row.addAll(fit.cells());
                  row.add(expected(axis, cost.name(), scheme));
                  rows.add(row);
                });
      }
    }
    return rows;
  }

  private static double abscissa(String axis, String x) {
    double exponent = Double.parseDouble(x);
    return axis.equals("n") ? exponent : Math.pow(2, exponent);
  }

  /**
   * Returns what Table I says, with a local position map: a logarithm less than with a recursive
   * one.
   */
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
