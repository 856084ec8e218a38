package io.github.roram.bench.experiment;

import io.github.roram.OramConfig;
import io.github.roram.bench.contender.Contender;
import io.github.roram.parameters.TreeParameters;
import java.io.IOException;
import java.util.List;

/**
 * Points that are measured on one subject, one after another.
 *
 * @param fillWork what filling the subject takes, in the unit of {@link Step#work}
 * @param source makes the subject
 * @param steps the points
 */
public record Job(double fillWork, SubjectSource source, List<Step> steps) {

  /** Copies the list. */
  public Job {
    steps = List.copyOf(steps);
  }

  /** Makes a filled subject. */
  @FunctionalInterface
  public interface SubjectSource {
    /** Makes it; {@code alive} is called often meanwhile. */
    Subject open(Runnable alive) throws IOException;
  }

  /** Measures one point. */
  @FunctionalInterface
  public interface Measure {
    /** Measures; {@code alive} is called often meanwhile. */
    Point on(Subject subject, Runnable alive) throws IOException;
  }

  /**
   * One point.
   *
   * @param key what it is
   * @param work estimate of what it takes: about the buckets that are moved
   * @param measure measures it
   */
  public record Step(Point.Key key, double work, Measure measure) {}

  /** Makes a point and all that it needs, and leaves nothing behind. */
  @FunctionalInterface
  public interface Alone {
    /** Measures; {@code alive} is called often meanwhile. */
    Point run(Runnable alive) throws IOException;
  }

  /**
   * A point that shares nothing with others: no subject is made for it.
   *
   * @param key what it is
   * @param work as of a {@link Step}
   */
  public static Job alone(Point.Key key, double work, Alone measure) {
    return new Job(
        0,
        alive -> Subject.ofItsOwn(() -> {}),
        List.of(new Step(key, work, (subject, alive) -> measure.run(alive))));
  }

  /**
   * Points of a contender.
   *
   * @param options of the experiment
   * @param real whether on this machine's disk, with data
   */
  public static Job of(
      Contender contender,
      OramConfig config,
      ExperimentOptions options,
      int run,
      boolean real,
      List<Step> steps) {
    return new Job(
        2.0 * config.blocks() * TreeParameters.of(config).trees().length,
        alive ->
            real
                ? Subject.onDisk(config, options.directory(), run, alive)
                : Subject.pattern(contender, config, alive),
        steps);
  }
}
