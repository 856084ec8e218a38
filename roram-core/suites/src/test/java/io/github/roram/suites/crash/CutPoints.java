package io.github.roram.suites.crash;

import java.io.IOException;
import java.util.Random;

/**
 * The points at which a run is cut, each in a run of its own: every n-th change of a file, from one
 * that follows from the case, until a run has no more; at least one. A normal run takes few; as
 * they start elsewhere in each case, all cases together take many.
 */
final class CutPoints {

  private final int stride;
  private final int seed;

  /** The case, which with the seed says where the points start. */
  private final Object[] parts;

  private CutPoints(int stride, int seed, Object[] parts) {
    this.stride = stride;
    this.seed = seed;
    this.parts = parts;
  }

  /** A run that is cut at a point, or whatever is to happen there. */
  @FunctionalInterface
  interface Run {
    /** Whether the run had so many points. */
    boolean cutAt(int point) throws IOException;
  }

  /** Points of a case; with a stride of 1 all of them. */
  static CutPoints of(int stride, int seed, Object... parts) {
    return new CutPoints(stride, seed, parts);
  }

  /** Runs it for each point, and returns at how many of them it was cut. */
  int each(Run run) throws IOException {
    int cuts = 0;
    int point = cutSomewhere(run);
    while (point > 0) {
      cuts++;
      point = cutAt(point + stride, run) ? point + stride : 0;
    }
    return cuts;
  }

  /**
   * Runs it for all points if the stride is 1, and for one otherwise: to find that there are no
   * others takes as long as that. Returns at how many it was cut.
   */
  int allOrOne(Run run) throws IOException {
    return stride == 1 ? each(run) : Integer.signum(cutSomewhere(run));
  }

  /** Cuts it at one of the first points, each as likely as another; returns where, or 0. */
  private int cutSomewhere(Run run) throws IOException {
    Random random = random();
    // A run that is not cut has fewer points.
    for (int point = stride + 1; point > 1; ) {
      point = 1 + random.nextInt(point - 1);
      if (cutAt(point, run)) {
        return point;
      }
    }
    return 0;
  }

  private boolean cutAt(int point, Run run) throws IOException {
    try {
      return run.cutAt(point);
    } catch (IOException | RuntimeException | AssertionError e) {
      throw new AssertionError("cut at change " + point + " with seed " + seed, e);
    }
  }

  /** The same in every run of the tests. */
  private Random random() {
    long start = seed;
    for (Object part : parts) {
      start = 31 * start + part.toString().hashCode();
    }
    return new Random(start);
  }
}
