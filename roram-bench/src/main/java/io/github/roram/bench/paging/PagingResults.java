package io.github.roram.bench.paging;

import io.github.roram.bench.experiment.Averages;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.report.Series;
import io.github.roram.bench.report.Table;
import io.github.roram.bench.report.Units;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** Charts and tables of the paging experiment. */
final class PagingResults {

  private static final String OWN = "own-share";
  private static final String PAPERS = "share-14";
  private static final List<String> COLUMNS =
      List.of(
          "program",
          "scheme",
          "faults",
          "page operations a fault",
          "requests a fault",
          "us a fault",
          "x %",
          "slowdown",
          "x % mixed",
          "slowdown mixed");

  private final List<Point> programs;
  private final List<Point> threads;

  PagingResults(List<Point> points) {
    threads = points.stream().filter(PagingResults::isOfThreads).toList();
    programs = points.stream().filter(point -> !isOfThreads(point)).toList();
  }

  private static boolean isOfThreads(Point point) {
    return point.key().x().startsWith(PagingExperiment.THREAD_POINT);
  }

  void write(Path directory) throws IOException {
    Series.write(schemes(), directory, PagingExperiment.SCHEMES);
    Series.write(forms(PagingContenders.EAGER), directory, PagingExperiment.EAGER);
    Series.write(
        forms(PagingContenders.PARALLEL, PagingContenders.EAGER_PARALLEL),
        directory,
        PagingExperiment.PARALLEL);
    Series.write(threadCurves(), directory, PagingExperiment.THREADS);
    new Table(COLUMNS, rows()).write(directory, PagingExperiment.ALL);
    new PaperComparison(programs).table().write(directory, PagingExperiment.PAPER);
  }

  /** Figure 2: all schemes, of detwo the plain form, at each program's own x and at the paper's. */
  private List<Series> schemes() {
    List<Point> of =
        programs.stream()
            .filter(point -> !point.key().contender().equals(PagingContenders.NONE.id()))
            .filter(point -> !isAnotherForm(point.key().contender()))
            .toList();
    List<Series> rows = new ArrayList<>(Averages.series(OWN, of, PagingPoint::slowdown));
    rows.addAll(Averages.series(PAPERS, of, PagingPoint::slowdownAtPapersShare));
    return rows;
  }

  private static boolean isAnotherForm(String contender) {
    return contender.endsWith(PagingContenders.EAGER)
        || contender.endsWith(PagingContenders.PARALLEL);
  }

  /** Figures 5 and 6: a panel for each K, the plain form beside others, at the paper's x. */
  private List<Series> forms(String... forms) {
    List<Series> rows = new ArrayList<>();
    for (int overhead : PagingContenders.OVERHEADS) {
      Set<String> shown = new HashSet<>();
      shown.add(PagingContenders.name(overhead, PagingContenders.PLAIN));
      for (String form : forms) {
        shown.add(PagingContenders.name(overhead, form));
      }
      List<Point> of =
          programs.stream().filter(point -> shown.contains(point.key().contender())).toList();
      rows.addAll(Averages.series("k" + overhead, of, PagingPoint::slowdownAtPapersShare));
    }
    return rows;
  }

  private List<Series> threadCurves() {
    return Averages.series("random-writes", threads, PagingPoint::faultMicros).stream()
        .map(
            row ->
                new Series(
                    row.panel(),
                    row.series(),
                    row.x().substring(PagingExperiment.THREAD_POINT.length()),
                    row.mean(),
                    row.low(),
                    row.high(),
                    row.runs()))
        .toList();
  }

  private List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    for (Map.Entry<Averages.Place, List<Point>> each : Averages.group(programs).entrySet()) {
      List<Point> runs = each.getValue();
      rows.add(
          List.of(
              each.getKey().x(),
              each.getKey().contender(),
              number(runs, point -> point.figure(PagingPoint.FAULTS)),
              number(runs, PagingPoint::hostPages),
              number(runs, PagingPoint::requests),
              number(runs, PagingPoint::faultMicros),
              number(runs, point -> 100 * PagingPoint.baseShare(point)),
              number(runs, PagingPoint::slowdown),
              number(runs, point -> 100 * PagingPoint.mixedBaseShare(point)),
              number(runs, PagingPoint::slowdownAtPapersShare)));
    }
    return rows;
  }

  private static String number(List<Point> runs, ToDoubleFunction<Point> figure) {
    return Units.number(Averages.estimate(runs, figure).mean());
  }
}
