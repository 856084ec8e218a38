package io.github.roram.bench.experiment;

import io.github.roram.OramConfig;
import io.github.roram.bench.ProgressListener;
import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.contender.SteadyMemory;
import io.github.roram.bench.replay.StoredTarget;
import io.github.roram.bench.replay.Target;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.Predicate;

/** Points that are measured on one subject, one after another. */
public final class Job {

  private final double fillWork;
  private final List<Step> steps;
  private final Body body;

  private Job(double fillWork, List<Step> steps, Body body) {
    this.fillWork = fillWork;
    this.steps = List.copyOf(steps);
    this.body = body;
  }

  /**
   * One point.
   *
   * @param key identifies the point
   * @param work estimated work: the approximate number of buckets moved
   */
  public record Step(Point.Key key, double work) {}

  /** Makes a filled subject. */
  @FunctionalInterface
  public interface Source<S> {
    /** Makes it; {@code alive} is called often meanwhile. */
    S open(Runnable alive) throws IOException;
  }

  /** Measures one point. */
  @FunctionalInterface
  public interface Measure<S> {
    /** Measures; calls {@code alive} often. */
    Point on(S subject, Runnable alive) throws IOException;
  }

  /** Takes finished points. */
  @FunctionalInterface
  public interface Sink {
    /** Takes one. */
    void add(Point point) throws IOException;
  }

  private interface Body {
    double run(Predicate<Point.Key> wanted, DoubleFunction<Runnable> alive, Sink points)
        throws IOException;
  }

  /** A job to which points are added. */
  public static final class Builder<S extends Closeable> {
    private final double fillWork;
    private final Source<S> source;
    private final List<Step> steps = new ArrayList<>();
    private final List<Measure<S>> measures = new ArrayList<>();

    private Builder(double fillWork, Source<S> source) {
      this.fillWork = fillWork;
      this.source = source;
    }

    /** Adds a point. */
    public Builder<S> step(Point.Key key, double work, Measure<S> measure) {
      steps.add(new Step(key, work));
      measures.add(measure);
      return this;
    }

    /** Returns the job. */
    public Job build() {
      return new Job(fillWork, steps, this::run);
    }

    private double run(Predicate<Point.Key> wanted, DoubleFunction<Runnable> alive, Sink points)
        throws IOException {
      double done = fillWork;
      try (S subject = source.open(alive.apply(0))) {
        for (int i = 0; i < steps.size(); i++) {
          if (wanted.test(steps.get(i).key())) {
            points.add(measures.get(i).on(subject, alive.apply(done)));
            done += steps.get(i).work();
          }
        }
      }
      return done;
    }
  }

  /**
   * Returns a builder of a job on any kind of subject, which is closed afterwards.
   *
   * @param fillWork work of creating the subject, in the unit of {@link Step#work}
   */
  public static <S extends Closeable> Builder<S> on(double fillWork, Source<S> source) {
    return new Builder<>(fillWork, source);
  }

  /**
   * Returns a job on a filled contender.
   *
   * @param options of the experiment
   * @param real whether on this machine's disk, with data
   */
  public static Builder<Target> on(
      Contender contender, OramConfig config, ExperimentOptions options, int run, boolean real) {
    return on(
        fillWork(config),
        alive ->
            real
                ? StoredTarget.onDisk(
                    options.directory(), config, run, new ProgressListener.Alive(alive))
                : Target.pattern(contender, config, alive));
  }

  /** Returns the approximate number of buckets moved to fill a store. */
  public static double fillWork(OramConfig config) {
    return 2.0 * config.blocks() * SteadyMemory.trees(config);
  }

  /** Makes a point and all that it needs, and leaves nothing behind. */
  @FunctionalInterface
  public interface Alone {
    /** Measures; calls {@code alive} often. */
    Point run(Runnable alive) throws IOException;
  }

  /** Returns a point that shares nothing with others. */
  public static Job alone(Point.Key key, double work, Alone measure) {
    Source<Closeable> nothing = alive -> () -> {};
    return on(0, nothing).step(key, work, (subject, alive) -> measure.run(alive)).build();
  }

  /** Returns the points. */
  public List<Step> steps() {
    return steps;
  }

  /** Returns what its points take that are wanted, and their subject. */
  double work(Predicate<Point.Key> wanted) {
    return fillWork
        + steps.stream().filter(step -> wanted.test(step.key())).mapToDouble(Step::work).sum();
  }

  /**
   * Measures the points that are wanted.
   *
   * @param alive called often, by how much work of this job was done when a part of it began
   * @return the work that was done
   */
  public double run(Predicate<Point.Key> wanted, DoubleFunction<Runnable> alive, Sink points)
      throws IOException {
    return body.run(wanted, alive, points);
  }
}
