package io.github.roram.bench.experiment;

import io.github.roram.bench.experiment.Experiment.Output;
import io.github.roram.bench.experiment.Experiment.Results;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Table;
import io.github.roram.bench.report.Units;
import io.github.roram.storage.device.DeviceModel;
import io.github.roram.storage.device.IoCounts;
import io.github.roram.store.IoPhase;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * What modelled times consist of: reads of paths, evictions of the accessed tree, evictions of the
 * other trees, position map.
 *
 * @param experiment id of the experiment
 * @param unit what the figures are of, as "block"
 * @param amount how many of these a point has
 */
public record Breakdown(String experiment, String unit, ToLongFunction<Point> amount) {

  private static final List<String> COLUMNS =
      List.of(
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

  /** The table, unless nothing was modelled. */
  public Output output() {
    return Output.table(
            TableStyle.folded(
                experiment + "-breakdown",
                "Where the time of " + experiment + " goes",
                "Modelled seconds per " + unit + ", by what they are for."),
            results -> table(results.modelled()))
        .unlessEmpty(Results::modelled);
  }

  private Table table(List<Point> modelled) {
    List<List<String>> rows = new ArrayList<>();
    for (DeviceModel device : DeviceModel.PAPER) {
      Averages.group(modelled).forEach((place, runs) -> rows.add(row(device, place, runs)));
    }
    return new Table(COLUMNS, rows);
  }

  private List<String> row(DeviceModel device, Averages.Place place, List<Point> runs) {
    double all = runs.stream().mapToLong(amount).sum();
    double read = seconds(device, runs, IoPhase.READ);
    double evict =
        seconds(device, runs, IoPhase.EVICT_READ) + seconds(device, runs, IoPhase.EVICT_WRITE);
    double map = seconds(device, runs, IoPhase.POSITION_MAP);
    double own = runs.get(0).ownEvictionShare();
    IoCounts total = runs.stream().map(Point::total).reduce(IoCounts.ZERO, IoCounts::plus);
    return List.of(
        device.id(),
        place.contender(),
        place.x(),
        Units.number(read / all),
        Units.number(evict * own / all),
        Units.number(evict * (1 - own) / all),
        Units.number(map / all),
        Units.number((read + evict + map) / all),
        Units.number(total.seeks() / all),
        Units.number(total.requests() / all),
        Units.number(total.bytes() / all / BYTES_PER_MB));
  }

  private static double seconds(DeviceModel device, List<Point> runs, IoPhase phase) {
    return runs.stream().mapToDouble(point -> device.seconds(point.of(phase))).sum();
  }
}
