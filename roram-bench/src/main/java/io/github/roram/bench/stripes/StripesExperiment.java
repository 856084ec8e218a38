package io.github.roram.bench.stripes;

import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.experiment.Experiment.NamedExperiment;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.Job;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Stores on several disks or servers (rORAM, §VIII-A): seeks in sequence on 1, 2, 4 and 8 modelled
 * disks, and accesses a second with two directories and with two block servers behind lines,
 * measured beside one of each.
 */
public final class StripesExperiment extends NamedExperiment {

  static final String ID = "stripes";

  /** Public for {@link java.util.ServiceLoader}. */
  public StripesExperiment() {
    super(ID, "seeks in sequence on several disks; two directories, two servers");
  }

  @Override
  public List<Job> jobs(ExperimentOptions options, int run) {
    List<Job> jobs = new ArrayList<>();
    if (options.isModelled()) {
      jobs.addAll(new ModelledStripes(options, run).jobs());
    }
    if (options.isMeasured()) {
      jobs.addAll(new MeasuredStripes(options, run).jobs());
    }
    return jobs;
  }

  @Override
  public Set<String> choices() {
    Set<String> all = new HashSet<>();
    Contenders.STRIPED.forEach(each -> all.add(each.id()));
    MeasuredStripes.LAYOUTS.forEach(each -> all.add(each.id()));
    return all;
  }

  @Override
  public List<Output> outputs() {
    List<Output> outputs = new ArrayList<>(ModelledStripes.outputs());
    outputs.addAll(MeasuredStripes.outputs());
    return outputs;
  }
}
