package io.github.roram.bench.experiment;

import io.github.roram.OramConfig;
import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.replay.Target;
import java.util.List;

/**
 * Jobs of ranges of one size at random places, alternately read and written ({@link RangeLoad}).
 *
 * @param experiment id of the experiment
 * @param options of the experiment
 */
public record RangeJobs(String experiment, ExperimentOptions options) {

  /**
   * A point of a job.
   *
   * @param x its place on the axis
   * @param rangeBlocks r, a power of two
   */
  public record Place(String x, int rangeBlocks) {

    /** Ranges of 2^{@code exponent} blocks at that exponent. */
    public static Place ofExponent(int exponent) {
      return new Place(Integer.toString(exponent), 1 << exponent);
    }
  }

  /** Points whose times are modelled from counts. */
  public Job modelled(Contender contender, OramConfig config, int run, List<Place> places) {
    return job(contender, config, run, places, false);
  }

  /** Points on this machine's disk, with data. */
  public Job measured(Contender contender, OramConfig config, int run, List<Place> places) {
    return job(contender, config, run, places, true);
  }

  private Job job(
      Contender contender, OramConfig config, int run, List<Place> places, boolean real) {
    Job.Builder<Target> job = Job.on(contender, config, options, run, real);
    for (Place place : places) {
      RangeLoad load = new RangeLoad(config, contender, place.rangeBlocks());
      Point.Key key =
          options.key(experiment, real, contender.id(), place.x(), run, config, load.queries());
      job.step(key, load.work(), (target, alive) -> load.run(key, target, alive));
    }
    return job.build();
  }
}
