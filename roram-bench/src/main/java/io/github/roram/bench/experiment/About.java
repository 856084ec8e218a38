package io.github.roram.bench.experiment;

import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Chapter;
import io.github.roram.bench.report.Machine;
import io.github.roram.bench.report.Table;
import io.github.roram.bench.report.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What was run, and on what. */
final class About {

  static final String ID = "about";

  /** The end of the report. */
  static final Chapter CHAPTER =
      Chapter.of(TableStyle.open(ID, "What was run", "By the last call."));

  private About() {}

  static Table of(ExperimentOptions options, Map<Experiment, List<Point>> points, PointFile file) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("scale", options.scale().id()));
    rows.add(List.of("runs", Integer.toString(options.runs())));
    for (Medium medium : options.media()) {
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
                  Units.count(of.size()) + " points, " + Units.count(blocks) + " blocks accessed"));
          int others = file.count(experiment.id()) - of.size();
          if (others > 0) {
            rows.add(
                List.of(
                    experiment.id() + ", not shown",
                    Units.count(others) + " finished points of other scales, parameters or runs"));
          }
          of.stream()
              .map(point -> point.key().contender() + ": " + point.key().config())
              .distinct()
              .forEach(config -> rows.add(List.of(experiment.id() + " parameters", config)));
        });
    return new Table(List.of("what", "value"), rows);
  }
}
