package io.github.roram.bench.experiment.traces;

import io.github.roram.bench.contender.ClientMemory;
import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.contender.Levers;
import io.github.roram.bench.experiment.Averages;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.report.Table;
import io.github.roram.bench.report.Units;
import io.github.roram.bench.statistics.Statistics.Estimate;
import io.github.roram.storage.device.DeviceModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How many times faster than strong Path ORAM each lever makes rORAM, on the traces. */
final class LeverResults {

  private static final double BYTES_PER_MB = 1e6;
  private static final double PER_CENT = 100;

  private final Map<Averages.Place, List<Point>> points;

  LeverResults(List<Point> points) {
    this.points = Averages.group(points);
  }

  /** Writes the table. */
  void write(Path directory, long blocks, String name) throws IOException {
    List<String> columns = new ArrayList<>(List.of("lever", "client memory MB"));
    for (DeviceModel device : DeviceModel.PAPER) {
      TraceJobs.WORKLOADS.forEach(workload -> columns.add(device.id() + " " + workload));
    }
    columns.add("padding blocks");
    columns.add("± %");
    List<List<String>> rows = new ArrayList<>();
    for (Contender lever : Levers.ALL) {
      List<String> row = row(lever, blocks);
      if (!row.isEmpty()) {
        rows.add(row);
      }
    }
    new Table(columns, rows).write(directory, name);
  }

  private List<String> row(Contender lever, long blocks) {
    long memory = ClientMemory.of(lever.config(blocks, TraceJobs.MAX_RANGE)).bytes();
    List<String> row = new ArrayList<>(List.of(lever.id(), Units.number(memory / BYTES_PER_MB)));
    double widest = 0;
    for (DeviceModel device : DeviceModel.PAPER) {
      for (String workload : TraceJobs.WORKLOADS) {
        List<Point> ours = of(lever.id(), workload);
        List<Point> theirs = of(Contenders.PATH_STRONG.id(), workload);
        if (ours.isEmpty() || theirs.isEmpty()) {
          return List.of();
        }
        Estimate ratio = seconds(device, theirs).dividedBy(seconds(device, ours));
        row.add(Units.number(ratio.mean()));
        widest = Math.max(widest, ratio.halfWidth() / ratio.mean());
      }
    }
    long padding =
        TraceJobs.WORKLOADS.stream()
            .flatMap(workload -> of(lever.id(), workload).stream())
            .mapToLong(Point::paddingBlocks)
            .sum();
    row.add(Units.count(padding));
    row.add(Double.isNaN(widest) ? "one run" : Units.number(widest * PER_CENT));
    return row;
  }

  private List<Point> of(String contender, String workload) {
    return points.getOrDefault(new Averages.Place(contender, workload), List.of());
  }

  private static Estimate seconds(DeviceModel device, List<Point> runs) {
    return Averages.estimate(runs, point -> device.seconds(point.total()) / point.queries());
  }
}
