package io.github.roram.bench.backup;

import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.bench.experiment.Averages;
import io.github.roram.bench.experiment.Experiment.NamedExperiment;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.ExperimentOptions.Scale;
import io.github.roram.bench.experiment.Job;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.replay.DeviceContents;
import io.github.roram.bench.replay.DeviceContents.DevicePattern;
import io.github.roram.bench.report.Chapter.TableStyle;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** An experiment on a store of single blocks in files on this machine: a point of figures a run. */
abstract class StoreExperiment extends NamedExperiment {

  static final double NANOS = 1e9;

  private static final double WORK = 1e6;

  /** A figure of a run. */
  interface Figure {

    /** Of the point. */
    String name();

    /** What it is. */
    String text();
  }

  private final OpenOptions use;
  private final Map<String, String> figures = new LinkedHashMap<>();

  StoreExperiment(String id, String help, OpenOptions use, Figure... figures) {
    super(id, help);
    this.use = use;
    for (Figure figure : figures) {
      this.figures.put(figure.name(), figure.text());
    }
  }

  @Override
  public final Set<String> choices() {
    return Set.of(id());
  }

  @Override
  public final List<Job> jobs(ExperimentOptions options, int run) {
    if (!options.isMeasured()) {
      return List.of();
    }
    long blocks = blocks(options.scale());
    OramConfig config = OramConfig.builder(blocks).maxRangeBlocks(1).trees(0).build();
    DeviceContents contents = contents(blocks, new DevicePattern(1, config.blockBytes()));
    Point.Key key = options.key(id(), true, id(), Long.toString(blocks), run, config, 1);
    return List.of(
        Job.alone(
            key,
            WORK,
            alive ->
                TriedStore.with(
                    config,
                    use,
                    contents,
                    options,
                    alive,
                    store -> measure(key, store, options.scale()))));
  }

  /** Size of the store. */
  abstract long blocks(Scale scale);

  /** What the store is filled with. */
  abstract DeviceContents contents(long blocks, DevicePattern pattern);

  /** The point, of a store that is filled. */
  abstract Point measure(Point.Key key, TriedStore store, Scale scale) throws IOException;

  /**
   * A table of all figures, if there are any.
   *
   * @param header of blocks, figure, mean and interval
   * @param format of a number
   */
  final List<Output> table(TableStyle style, List<String> header, String format) {
    return List.of(
        Output.table(
                style, results -> Averages.figures(header, figures, format, results.measured()))
            .unlessEmpty(Results::measured));
  }
}
