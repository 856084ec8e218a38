package io.github.roram.bench.experiment;

import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.experiment.Claim.ClaimTables;
import io.github.roram.bench.experiment.ExperimentOptions.ExperimentDevice;
import io.github.roram.bench.experiment.ExperimentRunner.PointFile;
import io.github.roram.bench.report.Chapter;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Report;
import io.github.roram.bench.report.Report.Machine;
import io.github.roram.bench.report.Table;
import io.github.roram.bench.report.Units;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The report of all that stands in a directory. */
public final class ExperimentReport {

  private static final TableStyle CONTENDERS =
      TableStyle.folded(
          "contenders", "What is compared", "The names in charts and tables, and what they are.");

  private ExperimentReport() {}

  /**
   * Draws the charts and writes the report, from the CSV files alone.
   *
   * @return the report
   * @throws IOException if there is no CSV to draw from, or one is malformed
   */
  public static Path draw(Path directory) throws IOException {
    List<Chapter> chapters = new ArrayList<>();
    List<Claim> claims = new ArrayList<>();
    boolean any = false;
    for (Experiment experiment : Experiment.all()) {
      Chapter chapter = experiment.chapter();
      chapters.add(chapter);
      any |= chapter.isIn(directory);
      claims.addAll(experiment.claims(directory));
    }
    if (!any) {
      throw new IOException(directory + " has no results to draw; run an experiment there first");
    }
    ClaimTables.write(claims, directory);
    contenders().write(directory, CONTENDERS.id());
    chapters.add(0, ClaimTables.CHAPTER);
    chapters.add(1, Chapter.of(CONTENDERS));
    chapters.add(About.CHAPTER);
    return Report.draw(directory, chapters);
  }

  private static Table contenders() {
    return new Table(
        List.of("name", "what it is"),
        Contenders.ALL.stream().map(c -> List.of(c.id(), c.note())).toList());
  }

  /** What was run, and on which machine. */
  static final class About {

    static final String ID = "about";

    /** The end of the report. */
    static final Chapter CHAPTER =
        Chapter.of(TableStyle.open(ID, "What was run", "By the last call."));

    private About() {}

    static Table of(
        ExperimentOptions options, Map<Experiment, List<Point>> points, PointFile file) {
      List<List<String>> rows = new ArrayList<>();
      rows.add(List.of("scale", options.scale().id()));
      rows.add(List.of("runs", Integer.toString(options.runs())));
      for (ExperimentDevice medium : options.media()) {
        rows.add(List.of("device " + medium.id(), medium.description()));
      }
      Machine machine = Machine.current();
      rows.add(
          List.of("machine", machine.cores() + " cores, " + machine.java() + ", " + machine.os()));
      points.forEach(
          (experiment, of) -> {
            long blocks = of.stream().mapToLong(Point::blocks).sum();
            rows.add(
                List.of(
                    experiment.id(),
                    Units.count(of.size())
                        + " points, "
                        + Units.count(blocks)
                        + " blocks accessed"));
            int others = file.count(experiment.id()) - of.size();
            if (others > 0) {
              rows.add(
                  List.of(
                      experiment.id() + ", not shown",
                      Units.count(others)
                          + " finished points of other scales, parameters or runs"));
            }
            of.stream()
                .map(point -> point.key().contender() + ": " + point.key().config())
                .distinct()
                .forEach(config -> rows.add(List.of(experiment.id() + " parameters", config)));
          });
      return new Table(List.of("what", "value"), rows);
    }
  }
}
