package io.github.roram.bench.paging;

import io.github.roram.bench.experiment.Averages;
import io.github.roram.bench.experiment.Experiment;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.Job;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.paging.BlockLoad.Pattern;
import io.github.roram.bench.report.Chapter;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Series;
import io.github.roram.bench.report.Table;
import io.github.roram.bench.report.Units;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Single blocks of schemes on files, by direct calls of the library, against a disk whose blocks
 * are sealed one by one. Measured through the page cache of this machine, whatever devices were
 * chosen; beside other experiments only where what is measured was chosen.
 */
public final class DirectExperiment implements Experiment {

  static final String ID = "direct-blocks";
  static final String SPEED = "direct-blocks-speed";
  static final String ALL = "direct-blocks-all";

  private static final double BYTES_PER_MB = 1e6;

  /** Trees take so many times longer, and are measured as well by so many accesses less. */
  private static final int TREE_SHARE = 10;

  private static final double WORK_OF_ACCESS = 100;

  /** Public for {@link java.util.ServiceLoader}. */
  public DirectExperiment() {}

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String help() {
    return "single blocks by direct calls, on files, against a sealed disk";
  }

  @Override
  public List<Job> jobs(ExperimentOptions options, int run) {
    long blocks = options.scale().measuredBlocks();
    int most = options.scale().pick(40, 30_000, 100_000, 300_000);
    List<Job> jobs = new ArrayList<>();
    if (!options.isMeasured() && options.experiments().size() > 1) {
      return jobs;
    }
    for (DirectContender contender : DirectContender.all()) {
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
              contender.describe(blocks),
              accesses);
      double work = WORK_OF_ACCESS * (blocks + (double) Pattern.values().length * accesses);
      jobs.add(Job.alone(key, work, alive -> load.run(key, contender, options.directory(), alive)));
    }
    return jobs;
  }

  @Override
  public void write(List<Point> points, ExperimentOptions options) throws IOException {
    if (points.isEmpty()) {
      return;
    }
    List<Series> speeds = new ArrayList<>();
    for (Pattern pattern : Pattern.values()) {
      Averages.series(pattern.isWriting() ? "writes" : "reads", points, speed(pattern)).stream()
          .map(row -> at(pattern, row))
          .forEach(speeds::add);
    }
    Series.write(speeds, options.directory(), SPEED);
    table(points).write(options.directory(), ALL);
  }

  private static Series at(Pattern pattern, Series row) {
    return new Series(
        row.panel(), row.series(), pattern.id(), row.mean(), row.low(), row.high(), row.runs());
  }

  /** Megabytes a second. */
  private static ToDoubleFunction<Point> speed(Pattern pattern) {
    return point -> bytes(point) / point.figure(pattern.secondsFigure()) / BYTES_PER_MB;
  }

  /** Of a pattern. */
  private static double bytes(Point point) {
    return (double) point.key().amount() * DirectContender.BLOCK_BYTES;
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
      row.add(Units.number(speed * BYTES_PER_MB / DirectContender.BLOCK_BYTES));
      row.add(Units.number(mean(runs, p -> ofTheDisk(p, pattern))));
      row.add(Units.number(mean(runs, p -> p.figure(pattern.movedFigure()) / bytes(p))));
      row.add(Units.number(mean(runs, p -> p.figure(pattern.writtenFigure()) / bytes(p))));
    }
    return row;
  }

  /** How many times as fast as the disk that it took turns with. */
  private static double ofTheDisk(Point point, Pattern pattern) {
    if (point.key().contender().equals(DirectContender.RAW)) {
      return 1;
    }
    return point.figure(pattern.diskSecondsFigure()) / point.figure(pattern.secondsFigure());
  }

  private static double mean(List<Point> runs, ToDoubleFunction<Point> figure) {
    return Averages.estimate(runs, figure).mean();
  }

  /** Contenders; or schemes, for all contenders that are of one. */
  @Override
  public Set<String> choices() {
    Set<String> choices = new HashSet<>();
    for (DirectContender contender : DirectContender.all()) {
      choices.addAll(contender.names());
    }
    return choices;
  }

  @Override
  public boolean isSelected(Point.Key point, ExperimentOptions.Selection selection) {
    return selection.schemes().isEmpty()
        || DirectContender.all().stream()
            .filter(contender -> contender.id().equals(point.contender()))
            .anyMatch(
                contender -> contender.names().stream().anyMatch(selection.schemes()::contains));
  }

  @Override
  public Chapter chapter() {
    return new Chapter(
        List.of(
            new FigureStyle(
                SPEED,
                "Single blocks, called directly",
                "",
                "Blocks of 4 KiB, one at a time",
                "MB/s",
                FigureStyle.Kind.BARS)),
        List.of(
            TableStyle.open(
                ALL,
                "Single blocks on files, called directly",
                "Blocks of 4 KiB, one at a time, through the page cache, on a device that was"
                    + " written once from end to end. The sealed disk, with which each takes turns,"
                    + " hides nothing and has no journal; schemes with a journal have durability os. The published"
                    + " DetWoORAM, without authentication and behind NBD, wrote 7 to 9 MiB/s at"
                    + " random and 12 to 17 in order, and read 21 to 25 and 160 to 190.")));
  }
}
