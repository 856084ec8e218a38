package io.github.roram.bench.experiment.traces;

import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.contender.Levers;
import io.github.roram.bench.experiment.Experiment;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.Job;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Chapter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What each lever against bytes does on the workloads of figure 7. */
public final class LeverExperiment implements Experiment {

  private static final String ID = "levers";

  /** Public for {@link java.util.ServiceLoader}. */
  public LeverExperiment() {}

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String help() {
    return "what each does about bytes";
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
  public boolean isSelected(Point.Key point, ExperimentOptions.Selection selection) {
    return true;
  }

  @Override
  public void write(List<Point> points, ExperimentOptions options) throws IOException {
    new LeverResults(points).write(options.directory(), TraceJobs.blocks(options), ID);
  }

  @Override
  public Chapter chapter() {
    return Chapter.of(
        TableStyle.open(
            ID,
            "What can be done about bytes",
            "How many times faster than path-strong, modelled, on the traces; each lever alone and"
                + " some together. The first line has a tree for each size class and treetops of"
                + " half the leaves. Padding: blocks whose evictions came early because more was"
                + " written than the share allows. The last column: the widest 95 % confidence"
                + " interval of the line's ratios, in per cent of the ratio to either side."));
  }
}
