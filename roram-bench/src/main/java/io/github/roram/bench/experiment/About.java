package io.github.roram.bench.experiment;

import io.github.roram.bench.demo.Machine;
import io.github.roram.bench.demo.Units;
import io.github.roram.bench.figure.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What was run, and on what. */
final class About {

  private About() {}

  static Table of(ExperimentOptions options, Map<ExperimentKind, List<Point>> points) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("scale", options.scale()));
    rows.add(List.of("runs", Integer.toString(options.runs())));
    for (Medium medium : options.media()) {
      rows.add(List.of("device " + medium.id(), medium.description()));
    }
    Machine machine = Machine.current();
    rows.add(
        List.of("machine", machine.cores() + " cores, " + machine.java() + ", " + machine.os()));
    points.forEach(
        (kind, of) -> {
          long blocks = of.stream().mapToLong(Point::blocks).sum();
          rows.add(
              List.of(
                  kind.id(),
                  Units.count(of.size()) + " points, " + Units.count(blocks) + " blocks accessed"));
          of.stream()
              .map(point -> point.key().contender() + ": " + point.key().config())
              .distinct()
              .forEach(config -> rows.add(List.of(kind.id() + " parameters", config)));
        });
    return new Table(List.of("what", "value"), rows);
  }
}
