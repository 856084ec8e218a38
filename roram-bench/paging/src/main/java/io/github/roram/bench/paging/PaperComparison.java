package io.github.roram.bench.paging;

import io.github.roram.bench.demo.Units;
import io.github.roram.bench.experiment.Averages;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.figure.Table;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The paper's slowdowns beside ours. */
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
          "modelled, c = K",
          "ours at own x");
  private static final String NOTHING = "–";

  private static final double ROUNDING = 1e-9;
  private static final double PATH = 27;
  private static final Map<String, List<Double>> PAPER =
      Map.of(
          PagingContenders.PLAIN, List.of(1.4, 2.0, 3.24),
          PagingContenders.EAGER, List.of(1.2, 1.8, 3.0),
          PagingContenders.PARALLEL, List.of(1.1, 1.1, 1.4));

  private final List<Point> points;

  PaperComparison(List<Point> points) {
    this.points = points;
  }

  Table table() {
    List<List<String>> rows = new ArrayList<>();
    add(rows, PagingContenders.PATH.id(), PATH);
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
            NOTHING));
    add(rows, "path-batched", Double.NaN);
    add(rows, "roram", Double.NaN);
    for (String form : PagingContenders.FORMS) {
      for (int i = 0; i < PagingContenders.OVERHEADS.size(); i++) {
        int overhead = PagingContenders.OVERHEADS.get(i);
        double paper = PAPER.containsKey(form) ? PAPER.get(form).get(i) : Double.NaN;
        if (form.equals(PagingContenders.PARALLEL)) {
          double c = speedUp(overhead);
          String measured = modelled(overhead, c) + ", c = " + Units.number(c);
          add(rows, contender(overhead), paper, measured, modelled(overhead, overhead));
        } else {
          add(rows, PagingContenders.name(overhead, form), paper);
        }
      }
    }
    return new Table(COLUMNS, rows);
  }

  private static String contender(int overhead) {
    return PagingContenders.name(overhead, PagingContenders.PARALLEL);
  }

  private void add(List<List<String>> rows, String contender, double paper) {
    add(rows, contender, paper, NOTHING, NOTHING);
  }

  private void add(
      List<List<String>> rows,
      String contender,
      double paper,
      String modelled,
      String modelledAtK) {
    DoubleSummaryStatistics mixed = over(contender, PagingPoint::slowdownAtPapersShare);
    if (mixed.getCount() == 0) {
      return;
    }
    boolean said = !Double.isNaN(paper);
    rows.add(
        List.of(
            contender,
            said ? Units.number(paper) + "x" : NOTHING,
            Units.ratio(mixed.getAverage()),
            Units.ratio(mixed.getMin()) + " to " + Units.ratio(mixed.getMax()),
            share(contender),
            said ? isReached(mixed.getAverage(), paper) ? "reached" : "not reached" : NOTHING,
            modelled,
            modelledAtK,
            Units.ratio(over(contender, PagingPoint::slowdown).getAverage())));
  }

  /** Rounded as the paper rounds: to a tenth, and to hundredths where it has them. */
  static boolean isReached(double ours, double paper) {
    double digits = Math.abs(paper * 10 - Math.rint(paper * 10)) < ROUNDING ? 10 : 100;
    return Math.round(ours * digits) <= Math.round(paper * digits);
  }

  /** The x of every run, in percent: the mean, and the least and the most of all. */
  private String share(String contender) {
    DoubleSummaryStatistics shares =
        points.stream()
            .filter(point -> point.key().contender().equals(contender))
            .mapToDouble(point -> 100 * PagingPoint.mixedBaseShare(point))
            .summaryStatistics();
    return String.format(
        Locale.ROOT, "%.1f (%.1f to %.1f)", shares.getAverage(), shares.getMin(), shares.getMax());
  }

  /** A mean for each program, over its runs. */
  private DoubleSummaryStatistics over(String contender, ToDoubleFunction<Point> figure) {
    List<Point> of = points.stream().filter(p -> p.key().contender().equals(contender)).toList();
    return Averages.group(of).values().stream()
        .mapToDouble(runs -> Averages.estimate(runs, figure).mean())
        .summaryStatistics();
  }

  /** How many times as fast a fault is in the parallel form as in the plain one. */
  private double speedUp(int overhead) {
    String plain = PagingContenders.name(overhead, PagingContenders.PLAIN);
    return over(plain, PagingPoint::faultMicros).getAverage()
        / over(contender(overhead), PagingPoint::faultMicros).getAverage();
  }

  /**
   * The parallel form as the paper has it: of the plain form's time T the part t that it spends in
   * paging is divided by the speed-up c of a fault. The paper had K threads; with c = K each would
   * be as fast as one alone.
   */
  private String modelled(int overhead, double c) {
    DoubleSummaryStatistics slowdown =
        over(
            PagingContenders.name(overhead, PagingContenders.PLAIN),
            point -> {
              double paging = point.figure(PagingPoint.MIXED_PAGING);
              double rest = point.figure(PagingPoint.MIXED) - paging;
              return (rest + paging / c) / point.figure(PagingPoint.MIXED_BASE);
            });
    return slowdown.getCount() == 0 ? NOTHING : Units.ratio(slowdown.getAverage());
  }
}
