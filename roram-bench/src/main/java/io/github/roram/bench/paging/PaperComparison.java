package io.github.roram.bench.paging;

import io.github.roram.bench.experiment.Averages;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.paging.PagingExperiment.PagingPoint;
import io.github.roram.bench.paging.PagingExperiment.PagingResults;
import io.github.roram.bench.report.Series;
import io.github.roram.bench.report.Table;
import io.github.roram.bench.report.Units;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.stat.regression.SimpleRegression;

/** The paper's slowdowns next to ours. */
final class PaperComparison {

  private static final List<String> COLUMNS =
      List.of(
          "scheme",
          "the paper",
          "ours at x = 14 %",
          "least to most",
          "x measured, %",
          "verdict",
          "modelled, T - t + t/c",
          "modelled, K processors",
          "modelled, c = K",
          "ours at own x");
  private static final String NOTHING = "–";

  private static final double ROUNDING = 1e-9;
  private static final String MEAN = "mean of programs";
  private static final double PATH = 27;
  private static final Map<String, List<Double>> PAPER =
      Map.of(
          PageContender.PLAIN, List.of(1.4, 2.0, 3.24),
          PageContender.EAGER, List.of(1.2, 1.8, 3.0),
          PageContender.PARALLEL, List.of(1.1, 1.1, 1.4));

  private final List<Point> points;

  PaperComparison(List<Point> points) {
    this.points = points;
  }

  Table table() {
    List<List<String>> rows = new ArrayList<>();
    add(rows, PageContender.PATH.id(), PATH);
    rows.add(
        List.of(
            "OPAM",
            "7.4x (published only: broken, as the paper says)",
            NOTHING,
            NOTHING,
            NOTHING,
            NOTHING,
            NOTHING,
            NOTHING,
            NOTHING,
            NOTHING));
    add(rows, "path-batched", Double.NaN);
    add(rows, "roram", Double.NaN);
    for (String form : PageContender.FORMS) {
      for (int i = 0; i < PageContender.OVERHEADS.size(); i++) {
        int overhead = PageContender.OVERHEADS.get(i);
        double paper = PAPER.containsKey(form) ? PAPER.get(form).get(i) : Double.NaN;
        if (form.equals(PageContender.PARALLEL)) {
          add(rows, contender(overhead), paper, modelled(overhead));
        } else {
          add(rows, PageContender.name(overhead, form), paper);
        }
      }
    }
    return new Table(COLUMNS, rows);
  }

  /**
   * Returns the paper's means over its programs, in panels of K, and Path ORAM's at its share of
   * paging.
   */
  static Series[] published(String... forms) {
    List<Series> points = new ArrayList<>();
    points.add(Series.exact(PagingResults.PAPERS, "paper: path", MEAN, PATH));
    for (String form : forms) {
      for (int i = 0; i < PageContender.OVERHEADS.size() && PAPER.containsKey(form); i++) {
        String panel = PagingResults.panel(PageContender.OVERHEADS.get(i));
        points.add(Series.exact(panel, "paper: " + form, MEAN, PAPER.get(form).get(i)));
      }
    }
    return points.toArray(Series[]::new);
  }

  private static String contender(int overhead) {
    return PageContender.name(overhead, PageContender.PARALLEL);
  }

  private void add(List<List<String>> rows, String contender, double paper) {
    add(rows, contender, paper, List.of(NOTHING, NOTHING, NOTHING));
  }

  private void add(List<List<String>> rows, String contender, double paper, List<String> modelled) {
    DoubleSummaryStatistics mixed = over(contender, PagingPoint::slowdownAtPapersShare);
    if (mixed.getCount() == 0) {
      return;
    }
    boolean said = !Double.isNaN(paper);
    List<String> row = new ArrayList<>();
    row.addAll(
        List.of(
            contender,
            said ? Units.number(paper) + "x" : NOTHING,
            Units.ratio(mixed.getAverage()),
            Units.ratio(mixed.getMin()) + " to " + Units.ratio(mixed.getMax()),
            share(contender),
            said ? isReached(mixed.getAverage(), paper) ? "reached" : "not reached" : NOTHING));
    row.addAll(modelled);
    row.add(Units.ratio(over(contender, PagingPoint::slowdown).getAverage()));
    rows.add(row);
  }

  /** Compares after rounding as the paper does: to a tenth, or to hundredths where it has them. */
  static boolean isReached(double ours, double paper) {
    double digits = Math.abs(paper * 10 - Math.rint(paper * 10)) < ROUNDING ? 10 : 100;
    return Math.round(ours * digits) <= Math.round(paper * digits);
  }

  /** Returns the x of all runs, in percent: mean, least and most. */
  private String share(String contender) {
    DoubleSummaryStatistics shares =
        points.stream()
            .filter(point -> point.key().contender().equals(contender))
            .mapToDouble(point -> 100 * PagingPoint.mixedBaseShare(point))
            .summaryStatistics();
    return String.format(
        Locale.ROOT, "%.1f (%.1f to %.1f)", shares.getAverage(), shares.getMin(), shares.getMax());
  }

  /** Returns the statistics of the programs' means over their runs. */
  private DoubleSummaryStatistics over(String contender, ToDoubleFunction<Point> figure) {
    List<Point> of = points.stream().filter(p -> p.key().contender().equals(contender)).toList();
    return Averages.group(of).values().stream()
        .mapToDouble(runs -> Averages.mean(runs, figure))
        .summaryStatistics();
  }

  private double fault(String contender) {
    return over(contender, PagingPoint::faultMicros).getAverage();
  }

  private static String plain(int overhead) {
    return PageContender.name(overhead, PageContender.PLAIN);
  }

  /**
   * Returns the parallel form in the paper's sense: in the plain form's time T, the part t spent in
   * paging is divided by the speed-up c of a fault. Three values of c are used: that of this
   * machine's threads; that of K processors, by the {@link FaultParts}; and c = K, as if a fault
   * consisted only of refreshes.
   */
  private List<String> modelled(int overhead) {
    double c = fault(plain(overhead)) / fault(contender(overhead));
    return List.of(
        modelled(overhead, c),
        wholly() ? modelled(overhead, parts().speedUp(overhead)) : NOTHING,
        modelled(overhead, overhead));
  }

  /** Returns whether faults of all K were measured. */
  private boolean wholly() {
    return PageContender.OVERHEADS.stream()
        .allMatch(k -> fault(plain(k)) > 0 && fault(contender(k)) > 0);
  }

  private FaultParts parts() {
    Map<Integer, Double> plain = new HashMap<>();
    Map<Integer, Double> shared = new HashMap<>();
    for (int overhead : PageContender.OVERHEADS) {
      plain.put(overhead, fault(plain(overhead)));
      shared.put(overhead, fault(contender(overhead)));
    }
    return FaultParts.of(plain, shared);
  }

  private String modelled(int overhead, double c) {
    DoubleSummaryStatistics slowdown =
        over(
            plain(overhead),
            point -> {
              double paging = point.figure(PagingPoint.MIXED_PAGING);
              double rest = point.figure(PagingPoint.MIXED) - paging;
              return (rest + paging / c) / point.figure(PagingPoint.MIXED_BASE);
            });
    return slowdown.getCount() == 0
        ? NOTHING
        : Units.ratio(slowdown.getAverage()) + ", c = " + Units.number(c);
  }

  /**
   * The parts of a fault of DetWoORAM, derived from faults measured for several K: a part that is
   * the same for every K, which one thread does, and a part for each page that is refreshed. They
   * tell how long a fault would take on K processors, of which this machine has fewer.
   *
   * @param once microseconds that do not depend on K
   * @param page microseconds of each page
   * @param handing additional microseconds if several threads share the pages
   */
  record FaultParts(double once, double page, double handing) {

    /** Returns the line with the least sum of squared distances. */
    private static SimpleRegression lineThrough(Map<Integer, Double> points) {
      SimpleRegression line = new SimpleRegression();
      points.forEach(line::addData);
      return line;
    }

    /**
     * Parts of faults.
     *
     * @param plain microseconds by K, one thread; at least two K
     * @param shared the same, two threads
     */
    static FaultParts of(Map<Integer, Double> plain, Map<Integer, Double> shared) {
      SimpleRegression one = lineThrough(plain);
      double handing = lineThrough(shared).getIntercept() - one.getIntercept();
      return new FaultParts(one.getIntercept(), one.getSlope(), Math.max(0, handing));
    }

    /**
     * Returns the speed-up of a fault on K processors: each refreshes a page, concurrently with the
     * fixed part and the handing out.
     */
    double speedUp(int overhead) {
      return (once + overhead * page) / (once + handing + page);
    }
  }
}
