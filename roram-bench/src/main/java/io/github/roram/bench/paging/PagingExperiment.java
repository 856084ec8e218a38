package io.github.roram.bench.paging;

import io.github.roram.bench.experiment.Averages;
import io.github.roram.bench.experiment.Experiment.Output;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.Job;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.experiment.Scale;
import io.github.roram.bench.paging.program.Program;
import io.github.roram.bench.paging.program.Programs;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Series;
import io.github.roram.bench.report.Table;
import io.github.roram.bench.report.Units;
import io.github.roram.paging.PagingOptions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Oblivious paging: the evaluation of the Keystone paging paper (its section 5, figures 2, 5 and
 * 6). Measured on this machine's memory, whatever devices were chosen; beside other experiments
 * only where what is measured was chosen.
 */
public final class PagingExperiment extends PageExperiment {

  static final String ID = "paging";
  static final String SCHEMES = "paging-schemes";
  static final String THREADS = "paging-threads";
  static final String ALL = "paging-all";

  /** The x of points that differ in their threads begins so. */
  static final String THREAD_POINT = "threads ";

  private static final TableStyle PAPER =
      TableStyle.open(
          "paging-paper",
          "Oblivious paging, beside the paper",
          "Means over the six programs, against pages that are sealed but not hidden. The paper's"
              + " figures were taken under an emulator (Keystone on QEMU); slowdowns of 1 + x K tell"
              + " that programs there spent x = 13 to 15 % of their time in paging. Ours run on this"
              + " machine, where paging is nearly all that these programs do; so they stand here"
              + " twice: mixed with computing, so that x is 14 %, and as they are. The x that was"
              + " measured, of every program and run, stands beside. Reached is what is no more when"
              + " rounded as the paper rounds. Modelled is what the paper's parallel form is:"
              + " T − t + t/c, with the c of the threads that this machine has; with that of K"
              + " processors, by the parts of a fault that were measured (once, for each page, for"
              + " handing out); and with c = K.");

  /** About the buckets that take as long as a fault with everything around it. */
  private static final double WORK_OF_FAULT = 40;

  private final PagingPoint measurement = new PagingPoint();

  /** Public for {@link java.util.ServiceLoader}. */
  public PagingExperiment() {
    super(ID, "what hiding their page faults costs programs");
  }

  @Override
  public List<Job> jobs(ExperimentOptions options, int run) {
    List<Job> jobs = new ArrayList<>();
    if (!isWanted(options)) {
      return jobs;
    }
    for (Program program : Programs.of(options.scale())) {
      for (PageContender contender : contenders()) {
        jobs.add(job(options, run, program, program.id(), contender));
      }
    }
    Program program = Programs.randomWrites(options.scale());
    int step = options.scale().pick(16, 2, 2, 2);
    for (int overhead : PageContender.OVERHEADS) {
      for (PageContender contender : PageContender.ofThreads(overhead, step)) {
        jobs.add(job(options, run, program, THREAD_POINT + contender.threads(), contender));
      }
    }
    return jobs;
  }

  private Job job(
      ExperimentOptions options, int run, Program program, String x, PageContender contender) {
    long pages = Trial.pages(program);
    PagingOptions paging = workingSet(options.scale());
    Point.Key key =
        new Point.Key(
            ID,
            options.scale().id(),
            true,
            contender.id(),
            x,
            run,
            program.description()
                + "; workingSetPages="
                + paging.workingSetPages()
                + " "
                + (contender.isOram()
                    ? contender.config(Trial.pagesOf(pages))
                    : "sealed pages=" + pages)
                + " threads="
                + contender.threads(),
            pages);
    return Job.alone(
        key,
        pages * WORK_OF_FAULT,
        alive -> measurement.measure(key, paging, program, contender, alive));
  }

  /** The paper's 15 pages; fewer where programs are tiny, so that they fault too. */
  private static PagingOptions workingSet(Scale scale) {
    PagingOptions papers = PagingOptions.defaults();
    return scale.pick(papers.withWorkingSetPages(4), papers, papers, papers);
  }

  @Override
  List<PageContender> contenders() {
    return PageContender.ofPaging();
  }

  @Override
  public List<Output> outputs() {
    return Stream.of(
            bars(
                SCHEMES,
                "Slowdown of programs by hidden paging",
                "figure 2",
                PagingResults::schemes),
            bars(
                "paging-eager",
                "Slowdown with pages refreshed ahead",
                "figure 5",
                results -> results.forms(PageContender.EAGER)),
            bars(
                "paging-parallel",
                "Slowdown with pages refreshed by several threads",
                "figure 6",
                results -> results.forms(PageContender.PARALLEL, PageContender.EAGER_PARALLEL)),
            figure(
                new FigureStyle(
                    THREADS,
                    "A fault against threads",
                    "",
                    "Threads",
                    "Microseconds",
                    FigureStyle.Kind.CURVES),
                PagingResults::threadCurves),
            Output.table(PAPER, results -> new PagingResults(results).paperTable()),
            Output.table(
                TableStyle.folded(
                    ALL,
                    "Oblivious paging, each program",
                    "x is the share of its time that a program spends in paging without ORAM. Page"
                        + " operations are what the host moved, in pages of 4 KiB."),
                results -> new PagingResults(results).table()))
        .map(output -> output.unlessEmpty(Results::points))
        .toList();
  }

  private static Output bars(
      String id, String title, String paper, Function<PagingResults, List<Series>> rows) {
    String beside = "Keystone paging " + paper;
    return figure(
        new FigureStyle(id, title, beside, "Program", "Slowdown", FigureStyle.Kind.BARS), rows);
  }

  private static Output figure(FigureStyle style, Function<PagingResults, List<Series>> rows) {
    return Output.figure(style, results -> rows.apply(new PagingResults(results)));
  }

  /** Charts and tables of the paging experiment. */
  static final class PagingResults {

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

    PagingResults(Results results) {
      List<Point> points = results.points();
      threads = points.stream().filter(PagingResults::isOfThreads).toList();
      programs = points.stream().filter(point -> !isOfThreads(point)).toList();
    }

    private static boolean isOfThreads(Point point) {
      return point.key().x().startsWith(PagingExperiment.THREAD_POINT);
    }

    private Table table() {
      return new Table(COLUMNS, rows());
    }

    private Table paperTable() {
      return new PaperComparison(programs).table();
    }

    /**
     * Figure 2: all schemes, of detwo the plain form, at each program's own x and at the paper's.
     */
    private List<Series> schemes() {
      List<Point> of =
          programs.stream()
              .filter(point -> !point.key().contender().equals(PageContender.NONE.id()))
              .filter(point -> !isAnotherForm(point.key().contender()))
              .toList();
      List<Series> rows = new ArrayList<>(Averages.series(OWN, of, PagingPoint::slowdown));
      rows.addAll(Averages.series(PAPERS, of, PagingPoint::slowdownAtPapersShare));
      return rows;
    }

    private static boolean isAnotherForm(String contender) {
      return contender.endsWith(PageContender.EAGER) || contender.endsWith(PageContender.PARALLEL);
    }

    /** Figures 5 and 6: a panel for each K, the plain form beside others, at the paper's x. */
    private List<Series> forms(String... forms) {
      List<Series> rows = new ArrayList<>();
      for (int overhead : PageContender.OVERHEADS) {
        Set<String> shown = new HashSet<>();
        shown.add(PageContender.name(overhead, PageContender.PLAIN));
        for (String form : forms) {
          shown.add(PageContender.name(overhead, form));
        }
        List<Point> of =
            programs.stream().filter(point -> shown.contains(point.key().contender())).toList();
        rows.addAll(Averages.series("k" + overhead, of, PagingPoint::slowdownAtPapersShare));
      }
      return rows;
    }

    private List<Series> threadCurves() {
      return Averages.series("random-writes", threads, PagingPoint::faultMicros).stream()
          .map(row -> row.at(row.x().substring(THREAD_POINT.length())))
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
}
