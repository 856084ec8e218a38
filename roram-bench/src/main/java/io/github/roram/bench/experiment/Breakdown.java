package io.github.roram.bench.experiment;

import io.github.roram.bench.demo.Units;
import io.github.roram.bench.figure.Table;
import io.github.roram.storage.device.DeviceModel;
import io.github.roram.storage.device.IoCounts;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What modelled times consist of: reads of paths, evictions of the accessed tree, evictions of the
 * other trees, position map.
 */
final class Breakdown {

  private static final List<String> COLUMNS =
      List.of(
          "figure",
          "device",
          "scheme",
          "x",
          "read s",
          "own eviction s",
          "other trees s",
          "position map s",
          "sum s",
          "seeks",
          "requests",
          "MB");
  private static final double BYTES_PER_MB = 1e6;

  private final Map<ExperimentKind, List<Point>> points;

  Breakdown(Map<ExperimentKind, List<Point>> points) {
    this.points = points;
  }

  /** Writes the table, unless neither figure was run. */
  void write(Path directory) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    add(rows, "fig6 (per block)", points.getOrDefault(ExperimentKind.FIG6, List.of()), true);
    add(rows, "fig7 (per query)", points.getOrDefault(ExperimentKind.FIG7, List.of()), false);
    if (!rows.isEmpty()) {
      new Table(COLUMNS, rows).write(directory, "breakdown");
    }
  }

  private static void add(
      List<List<String>> rows, String figure, List<Point> of, boolean perBlock) {
    List<Point> modelled = of.stream().filter(point -> !point.key().real()).toList();
    for (DeviceModel device : DeviceModel.PAPER) {
      Results.group(modelled)
          .forEach((place, runs) -> rows.add(row(figure, device, place, runs, perBlock)));
    }
  }

  private static List<String> row(
      String figure, DeviceModel device, Results.Place place, List<Point> runs, boolean perBlock) {
    double amount = runs.stream().mapToLong(p -> perBlock ? p.blocks() : p.queries()).sum();
    double read = seconds(device, runs, IoPhase.READ);
    double evict =
        seconds(device, runs, IoPhase.EVICT_READ) + seconds(device, runs, IoPhase.EVICT_WRITE);
    double map = seconds(device, runs, IoPhase.POSITION_MAP);
    double own = runs.get(0).ownEvictionShare();
    IoCounts total = runs.stream().map(Point::total).reduce(IoCounts.ZERO, IoCounts::plus);
    return List.of(
        figure,
        device.id(),
        place.contender(),
        place.x(),
        Units.number(read / amount),
        Units.number(evict * own / amount),
        Units.number(evict * (1 - own) / amount),
        Units.number(map / amount),
        Units.number((read + evict + map) / amount),
        Units.number(total.seeks() / amount),
        Units.number(total.requests() / amount),
        Units.number(total.bytes() / amount / BYTES_PER_MB));
  }

  private static double seconds(DeviceModel device, List<Point> runs, IoPhase phase) {
    return runs.stream().mapToDouble(point -> device.seconds(point.of(phase))).sum();
  }
}
