package io.github.roram.bench.paging;

import io.github.roram.bench.experiment.Averages;
import io.github.roram.bench.experiment.Experiment.Output;
import io.github.roram.bench.experiment.Experiment.Results;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.Job;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.paging.BlockLoad.Pattern;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Series;
import io.github.roram.bench.report.Table;
import io.github.roram.bench.report.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Single blocks of schemes on files, by direct calls of the library, against a disk whose blocks
 * are sealed one by one. Measured through the page cache of this machine, whatever devices were
 * chosen; beside other experiments only where what is measured was chosen.
 */
public final class DirectExperiment extends PageExperiment {

  static final String ID = "direct-blocks";
  static final String SPEED = "direct-blocks-speed";
  static final String ALL = "direct-blocks-all";

  private static final double BYTES_PER_MB = 1e6;

  /** Trees take so many times longer, and are measured as well by so many accesses less. */
  private static final int TREE_SHARE = 10;

  private static final double WORK_OF_ACCESS = 100;

  /** Public for {@link java.util.ServiceLoader}. */
  public DirectExperiment() {
    super(ID, "single blocks by direct calls, on files, against a sealed disk");
  }

  @Override
  public List<Job> jobs(ExperimentOptions options, int run) {
    long blocks = options.scale().measuredBlocks();
    int most = options.scale().pick(40, 30_000, 100_000, 300_000);
    List<Job> jobs = new ArrayList<>();
    if (!isWanted(options)) {
      return jobs;
    }
    for (PageContender contender : contenders()) {
      int accesses = contender.isTree() ? most / TREE_SHARE : most;
      BlockLoad load = new BlockLoad(blocks, accesses);
      Point.Key key =
          new Point.Key(
              ID,
              options.scale().id(),
              true,
              contender.id(),
              "blocks",
              run,
              BlockLoad.describe(contender, blocks),
              accesses);
      double work = WORK_OF_ACCESS * (blocks + (double) Pattern.values().length * accesses);
      jobs.add(Job.alone(key, work, alive -> load.run(key, contender, options.directory(), alive)));
    }
    return jobs;
  }

  @Override
  List<PageContender> contenders() {
    return PageContender.ofDirectCalls();
  }

  @Override
  public List<Output> outputs() {
    return List.of(
        Output.figure(
                new FigureStyle(
                    SPEED,
                    "Single blocks, called directly",
                    "",
                    "Blocks of 4 KiB, one at a time",
                    "MB/s",
                    FigureStyle.Kind.BARS),
                results -> speeds(results.points()))
            .unlessEmpty(Results::points),
        Output.table(
                TableStyle.open(
                    ALL,
                    "Single blocks on files, called directly",
                    "Blocks of 4 KiB, one at a time, through the page cache, on a device that was"
                        + " written once from end to end. The sealed disk, with which each takes"
                        + " turns, hides nothing and has no journal; schemes with a journal have"
                        + " durability os. The published DetWoORAM, without authentication and"
                        + " behind NBD, wrote 7 to 9 MiB/s at random and 12 to 17 in order, and read"
                        + " 21 to 25 and 160 to 190."),
                results -> table(results.points()))
            .unlessEmpty(Results::points));
  }

  private static List<Series> speeds(List<Point> points) {
    return Stream.of(Pattern.values())
        .flatMap(
            pattern ->
                Averages.series(pattern.isWriting() ? "writes" : "reads", points, speed(pattern))
                    .stream()
                    .map(row -> row.at(pattern.id())))
        .toList();
  }

  /** Megabytes a second. */
  private static ToDoubleFunction<Point> speed(Pattern pattern) {
    return point -> bytes(point) / point.figure(pattern.secondsFigure()) / BYTES_PER_MB;
  }

  /** Of a pattern. */
  private static double bytes(Point point) {
    return (double) point.key().amount() * PageContender.PAGE_BYTES;
  }

  private static Table table(List<Point> points) {
    List<String> columns = new ArrayList<>(List.of("scheme"));
    for (Pattern pattern : Pattern.values()) {
      columns.add(pattern.id() + " MB/s");
      columns.add(pattern.id() + " a second");
      columns.add("of the disk");
      columns.add("bytes moved a byte");
      columns.add("bytes written a byte");
    }
    List<List<String>> rows = new ArrayList<>();
    Map<Averages.Place, List<Point>> places = Averages.group(points);
    places.forEach((place, runs) -> rows.add(row(place.contender(), runs)));
    return new Table(columns, rows);
  }

  private static List<String> row(String contender, List<Point> runs) {
    List<String> row = new ArrayList<>(List.of(contender));
    for (Pattern pattern : Pattern.values()) {
      double speed = mean(runs, speed(pattern));
      row.add(Units.number(speed));
      row.add(Units.number(speed * BYTES_PER_MB / PageContender.PAGE_BYTES));
      row.add(Units.number(mean(runs, p -> ofTheDisk(p, pattern))));
      row.add(Units.number(mean(runs, p -> p.figure(pattern.movedFigure()) / bytes(p))));
      row.add(Units.number(mean(runs, p -> p.figure(pattern.writtenFigure()) / bytes(p))));
    }
    return row;
  }

  /** How many times as fast as the disk that it took turns with. */
  private static double ofTheDisk(Point point, Pattern pattern) {
    if (point.key().contender().equals(PageContender.SEALED_DISK.id())) {
      return 1;
    }
    return point.figure(pattern.diskSecondsFigure()) / point.figure(pattern.secondsFigure());
  }

  private static double mean(List<Point> runs, ToDoubleFunction<Point> figure) {
    return Averages.estimate(runs, figure).mean();
  }
}
