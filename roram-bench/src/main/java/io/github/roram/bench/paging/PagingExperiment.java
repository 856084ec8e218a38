package io.github.roram.bench.paging;

import io.github.roram.bench.experiment.Averages;
import io.github.roram.bench.experiment.Experiment.Output;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.ExperimentOptions.Scale;
import io.github.roram.bench.experiment.Job;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.paging.Mixing.Mixed;
import io.github.roram.bench.paging.Mixing.Trial;
import io.github.roram.bench.paging.PageContender.PageExperiment;
import io.github.roram.bench.paging.program.PagedPrograms;
import io.github.roram.bench.paging.program.PagedPrograms.Program;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Series;
import io.github.roram.bench.report.Table;
import io.github.roram.bench.report.Units;
import io.github.roram.paging.PagingOptions;
import java.io.IOException;
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
 * 6). Measured on this machine's memory, whatever devices were chosen; next to other experiments
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
          "Oblivious paging, next to the paper",
          "Means over the six programs, against pages that are sealed but not hidden. The paper's"
              + " figures were taken under an emulator (Keystone on QEMU); slowdowns of 1 + x K tell"
              + " that programs there spent x = 13 to 15 % of their time in paging. Ours run on this"
              + " machine, where paging is nearly all that these programs do; so they stand here"
              + " twice: mixed with computing, so that x is 14 %, and as they are. The x that was"
              + " measured, of every program and run, is next to it. Reached is what is no more when"
              + " rounded as the paper rounds. Modelled is what the paper's parallel form is:"
              + " T − t + t/c, with the c of the threads that this machine has; with that of K"
              + " processors, by the parts of a fault that were measured (once, for each page, for"
              + " handing out); and with c = K.");

  /** About the buckets that take as long as a fault with everything around it. */
  private static final double WORK_OF_FAULT = 40;

  private final PagingPoint measurement = new PagingPoint();

  /** Creates the experiment, for {@link java.util.ServiceLoader}. */
  public PagingExperiment() {
    super(ID, "what hiding their page faults costs programs");
  }

  @Override
  public List<Job> jobs(ExperimentOptions options, int run) {
    List<Job> jobs = new ArrayList<>();
    if (!isWanted(options)) {
      return jobs;
    }
    for (Program program : PagedPrograms.of(options.scale())) {
      for (PageContender contender : contenders()) {
        jobs.add(job(options, run, program, program.id(), contender));
      }
    }
    Program program = PagedPrograms.randomWrites(options.scale());
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
        options.key(
            ID,
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

  /** Returns the paper's 15 pages; fewer if programs are tiny, so that they fault, too. */
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
                PagingResults::schemes,
                PageContender.PLAIN),
            forms(
                "paging-eager",
                "Slowdown with pages refreshed ahead",
                "figure 5",
                PageContender.EAGER),
            forms(
                "paging-parallel",
                "Slowdown with pages refreshed by several threads",
                "figure 6",
                PageContender.PARALLEL,
                PageContender.EAGER_PARALLEL),
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

  private static Output forms(String id, String title, String paper, String... forms) {
    return bars(id, title, paper, results -> results.forms(forms), forms);
  }

  private static Output bars(
      String id,
      String title,
      String paper,
      Function<PagingResults, List<Series>> rows,
      String... forms) {
    String keystones = "Keystone paging " + paper;
    return figure(
        new FigureStyle(id, title, keystones, "Program", "Slowdown", FigureStyle.Kind.BARS)
            .with(PaperComparison.published(forms)),
        rows);
  }

  private static Output figure(FigureStyle style, Function<PagingResults, List<Series>> rows) {
    return Output.figure(style, results -> rows.apply(new PagingResults(results)));
  }

  /** Charts and tables of the paging experiment. */
  static final class PagingResults {

    private static final String OWN = "own-share";
    static final String PAPERS = "share-14";
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
      return new Table(COLUMNS, Averages.rows(programs, PagingResults::row));
    }

    private Table paperTable() {
      return new PaperComparison(programs).table();
    }

    /**
     * Returns figure 2: all schemes, detwo in its plain form, at each program's own x and at the
     * paper's.
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

    /** Figures 5 and 6: a panel for each K, the plain form next to others, at the paper's x. */
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
        rows.addAll(Averages.series(panel(overhead), of, PagingPoint::slowdownAtPapersShare));
      }
      return rows;
    }

    static String panel(int overhead) {
      return "k" + overhead;
    }

    private List<Series> threadCurves() {
      return Averages.series("random-writes", threads, PagingPoint::faultMicros).stream()
          .map(row -> row.at(row.x().substring(THREAD_POINT.length())))
          .toList();
    }

    private static List<String> row(Averages.PointPlace place, List<Point> runs) {
      return List.of(
          place.x(),
          place.contender(),
          number(runs, point -> point.figure(PagingPoint.FAULTS)),
          number(runs, PagingPoint::hostPages),
          number(runs, PagingPoint::requests),
          number(runs, PagingPoint::faultMicros),
          number(runs, point -> 100 * PagingPoint.baseShare(point)),
          number(runs, PagingPoint::slowdown),
          number(runs, point -> 100 * PagingPoint.mixedBaseShare(point)),
          number(runs, PagingPoint::slowdownAtPapersShare));
    }

    private static String number(List<Point> runs, ToDoubleFunction<Point> figure) {
      return Units.number(Averages.mean(runs, figure));
    }
  }

  /**
   * Measures a program on a contender next to the same without ORAM: as it is, and at the paper's
   * share of its time in paging ({@link Mixing}). As it is, runs with and without ORAM are made in
   * turn, twice, and the faster counts, so that whatever else the machine does falls on all alike.
   * Not thread safe.
   */
  static final class PagingPoint {

    static final String FAULTS = "faults";
    static final String PAGE_READS = "pageReads";
    static final String PAGE_WRITES = "pageWrites";
    static final String PAGING = "pagingSeconds";
    static final String BASE = "baseSeconds";
    static final String BASE_PAGING = "basePagingSeconds";
    static final String MIXED = "mixedSeconds";
    static final String MIXED_PAGING = "mixedPagingSeconds";
    static final String MIXED_BASE = "mixedBaseSeconds";
    static final String MIXED_BASE_PAGING = "mixedBasePagingSeconds";

    private static final int TRIES = 2;
    private static final PageContender NONE = PageContender.NONE;

    private final Set<String> warm = new HashSet<>();
    private final Mixing inEarnest = new Mixing(false);
    private final Mixing once = new Mixing(true);

    /** Measures. */
    Point measure(
        Point.Key key,
        PagingOptions options,
        Program program,
        PageContender contender,
        Runnable alive)
        throws IOException {
      PageContender[] both = {NONE, contender};
      boolean tiny = Scale.of(key.scale()) == Scale.TINY;
      int tries = tiny ? 1 : TRIES;
      for (PageContender each : both) {
        // What a tiny scale measures is of no meaning, and is to be there soon.
        if ((!tiny || each.equals(NONE)) && warm.add(each.id())) {
          Trial.run(PagedPrograms.warmUp(), each, options, 0, alive);
        }
      }
      Trial[] own = fastest(program, both, options, tries, alive);
      Mixed mixed = (tiny ? once : inEarnest).measure(program, contender, options, own[0], alive);
      return point(key, own[0], own[1], mixed);
    }

    /** Returns the fastest of a few runs of each contender, made in turn. */
    private static Trial[] fastest(
        Program program, PageContender[] of, PagingOptions options, int tries, Runnable alive)
        throws IOException {
      Trial[] fastest = new Trial[of.length];
      for (int i = 0; i < tries * of.length; i++) {
        int which = i % of.length;
        Trial trial = Trial.run(program, of[which], options, 0, alive);
        if (i < of.length || trial.seconds() < fastest[which].seconds()) {
          fastest[which] = trial;
        }
      }
      return fastest;
    }

    private static Point point(Point.Key key, Trial base, Trial own, Mixed mixed) {
      return Point.counted(
              key,
              own.paging().faults(),
              own.paging().pageReads() + own.paging().pageWrites(),
              own.seconds(),
              own.phases())
          .withFigures(
              Map.of(
                  FAULTS,
                  (double) own.paging().faults(),
                  PAGE_READS,
                  (double) own.paging().pageReads(),
                  PAGE_WRITES,
                  (double) own.paging().pageWrites(),
                  PAGING,
                  own.pagingSeconds(),
                  BASE,
                  base.seconds(),
                  BASE_PAGING,
                  base.pagingSeconds(),
                  MIXED,
                  mixed.seconds(),
                  MIXED_PAGING,
                  mixed.seconds() * mixed.share(),
                  MIXED_BASE,
                  mixed.baseSeconds(),
                  MIXED_BASE_PAGING,
                  mixed.baseSeconds() * mixed.baseShare()));
    }

    /** Returns how many times longer the program took than without ORAM. */
    static double slowdown(Point point) {
      return point.seconds() / point.figure(BASE);
    }

    /** Returns the same at the paper's share. */
    static double slowdownAtPapersShare(Point point) {
      return point.figure(MIXED) / point.figure(MIXED_BASE);
    }

    /** Microseconds of a fault. */
    static double faultMicros(Point point) {
      return 1e6 * point.figure(PAGING) / Math.max(1, point.figure(FAULTS));
    }

    /** Returns x: the share of its time that the program spends in paging without ORAM. */
    static double baseShare(Point point) {
      return point.figure(BASE_PAGING) / point.figure(BASE);
    }

    /** Returns what it is after mixing. */
    static double mixedBaseShare(Point point) {
      return point.figure(MIXED_BASE_PAGING) / point.figure(MIXED_BASE);
    }

    /** Pages that the host moved for a fault: bytes read and written, as pages. */
    static double hostPages(Point point) {
      return (double) point.total().bytes()
          / PageContender.PAGE_BYTES
          / Math.max(1, point.figure(FAULTS));
    }

    /** Requests to the host for a fault. */
    static double requests(Point point) {
      return point.total().requests() / Math.max(1, point.figure(FAULTS));
    }
  }
}
