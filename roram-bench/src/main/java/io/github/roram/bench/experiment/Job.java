package io.github.roram.bench.experiment;

import java.io.IOException;
import java.util.List;

/**
 * Points that are measured on one subject, one after another.
 *
 * @param name for progress
 * @param fillWork what filling the subject takes, in the unit of {@link Step#work}
 * @param source makes the subject
 * @param steps the points
 */
record Job(String name, double fillWork, SubjectSource source, List<Step> steps) {

  Job {
    steps = List.copyOf(steps);
  }

  /** Makes a filled subject. */
  @FunctionalInterface
  interface SubjectSource {
    /** Makes it; {@code alive} is called often meanwhile. */
    Subject open(Runnable alive) throws IOException;
  }

  /** Measures one point. */
  @FunctionalInterface
  interface Measure {
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
  record Step(Point.Key key, double work, Measure measure) {}
}
