package io.github.roram.bench.experiment;

import io.github.roram.bench.ProgressListener;
import io.github.roram.bench.experiment.ExperimentOptions.ExperimentDevice;
import io.github.roram.bench.experiment.ExperimentOptions.Scale;
import io.github.roram.bench.experiment.ExperimentOptions.Selection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/** One run of an experiment at the smallest scale. */
public final class TinyRun {

  private TinyRun() {}

  /** Its options. */
  public static ExperimentOptions options(
      String experiment, ExperimentDevice device, Path directory, Selection selection) {
    return new ExperimentOptions(
        Experiment.named(experiment),
        Scale.TINY,
        Set.of(device),
        directory,
        1,
        null,
        null,
        selection);
  }

  /** Makes it; returns the report. */
  public static Path of(String experiment, ExperimentDevice device, Path directory)
      throws IOException {
    return of(options(experiment, device, directory, Selection.ALL));
  }

  /** Makes it; returns the report. */
  public static Path of(ExperimentOptions options) throws IOException {
    return new ExperimentRunner(options, ProgressListener.NONE).run();
  }
}
