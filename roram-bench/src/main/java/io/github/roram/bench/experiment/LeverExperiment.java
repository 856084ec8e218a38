package io.github.roram.bench.experiment;

import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.contender.Levers;
import io.github.roram.bench.contender.SteadyMemory;
import io.github.roram.bench.experiment.Experiment.NamedExperiment;
import io.github.roram.bench.experiment.ExperimentOptions.Setting;
import io.github.roram.bench.experiment.Throughput.TraceJobs;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Statistics.Estimate;
import io.github.roram.bench.report.Table;
import io.github.roram.bench.report.Units;
import io.github.roram.storage.device.DeviceModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What each lever against bytes does on the workloads of figure 7. */
public final class LeverExperiment extends NamedExperiment {

  private static final String ID = "levers";

  /** Creates the experiment, for {@link java.util.ServiceLoader}. */
  public LeverExperiment() {
    super(ID, "what each does about bytes");
  }

  @Override
  public List<Job> jobs(ExperimentOptions options, int run) {
    TraceJobs jobs = new TraceJobs(ID, options);
    List<Job> all = new ArrayList<>();
    if (options.isModelled()) {
      all.add(jobs.modelled(Contenders.PATH_STRONG, run));
      Levers.ALL.forEach(lever -> all.add(jobs.modelled(lever, run)));
    }
    return all;
  }

  /** Levers are no schemes to choose from. */
  @Override
  public Set<String> choices() {
    return Set.of();
  }

  @Override
  public Set<Setting> settings() {
    return Set.of(Setting.TRACES, Setting.QUERIES);
  }

  @Override
  public List<Output> outputs() {
    return List.of(
        Output.table(
            TableStyle.open(
                ID,
                "What can be done about bytes",
                "How many times faster than path-strong, modelled, on the traces; each lever alone"
                    + " and some together. The first line has a tree for each size class and"
                    + " treetops of half the leaves. Padding: blocks whose evictions came early"
                    + " because more was written than the share allows. The last column: the widest"
                    + " 95 % confidence interval of the line's ratios, in per cent of the ratio to"
                    + " either side."),
            results ->
                new LeverResults(results.points()).table(TraceJobs.blocks(results.options()))));
  }

  /** How many times faster than strong Path ORAM each lever makes rORAM, on the traces. */
  static final class LeverResults {

    private static final double BYTES_PER_MB = 1e6;
    private static final double PER_CENT = 100;

    private final Map<Averages.PointPlace, List<Point>> points;

    LeverResults(List<Point> points) {
      this.points = Averages.group(points);
    }

    Table table(long blocks) {
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
      return new Table(columns, rows);
    }

    private List<String> row(Contender lever, long blocks) {
      long memory = SteadyMemory.of(lever.config(blocks, TraceJobs.MAX_RANGE)).bytes();
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
      return points.getOrDefault(new Averages.PointPlace(contender, workload), List.of());
    }

    private static Estimate seconds(DeviceModel device, List<Point> runs) {
      return Averages.estimate(runs, point -> device.seconds(point.total()) / point.queries());
    }
  }
}
