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
    int first = first();
    int point = cutFrom(first, run);
    int cuts = point > 0 ? 1 : 0;
    boolean more = point == first;
    while (more) {
      point += stride;
      more = cutAt(point, run);
      cuts += more ? 1 : 0;
    }
    return cuts;
  }

  /**
   * Runs it for one point, which in a run that is shorter than the stride is any of it; returns at
   * how many it was cut. To find that there are no others takes as long as that.
   */
  int one(Run run) throws IOException {
    return cutFrom(first(), run) > 0 ? 1 : 0;
  }

  /** Cuts there; a short run has fewer points, but it has some. Returns where, or 0. */
  private int cutFrom(int first, Run run) throws IOException {
    for (int point = first; point > 0; point /= 2) {
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
  private int first() {
    long start = seed;
    for (Object part : parts) {
      start = 31 * start + part.toString().hashCode();
    }
    return 1 + new Random(start).nextInt(stride);
  }
}
