package io.github.roram.bench.paging;

import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.experiment.Scale;
import io.github.roram.bench.paging.Mixing.Mixed;
import io.github.roram.bench.paging.program.Program;
import io.github.roram.bench.paging.program.Programs;
import io.github.roram.paging.PagingOptions;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Measures a program on a contender beside the same without ORAM: as it is, and at the paper's
 * share of its time in paging ({@link Mixing}). As it is, runs with and without ORAM are made in
 * turn, twice, and the faster counts, so that whatever else the machine does falls on all alike.
 * Not thread safe.
 */
final class PagingPoint {

  static final String FAULTS = "faults";
  static final String PAGE_READS = "pageReads";
  static final String PAGE_WRITES = "pageWrites";
  static final String PAGING = "pagingSeconds";
  static final String BASE = "baseSeconds";
  static final String BASE_PAGING = "basePagingSeconds";
  static final String MIXED = "mixedSeconds";
  static final String MIXED_PAGING = "mixedPagingSeconds";
  static final String MIXED_BASE = "mixedBaseSeconds";
  static final String MIXED_BASE_PAGING = "mixedBasePagingSeconds";

  private static final int TRIES = 2;
  private static final PageContender NONE = PageContender.NONE;

  private final Set<String> warm = new HashSet<>();
  private final Mixing inEarnest = new Mixing(false);
  private final Mixing once = new Mixing(true);

  /** Measures. */
  Point measure(
      Point.Key key,
      PagingOptions options,
      Program program,
      PageContender contender,
      Runnable alive)
      throws IOException {
    PageContender[] both = {NONE, contender};
    boolean tiny = Scale.of(key.scale()) == Scale.TINY;
    int tries = tiny ? 1 : TRIES;
    for (PageContender each : both) {
      // What a tiny scale measures is of no meaning, and is to be there soon.
      if ((!tiny || each.equals(NONE)) && warm.add(each.id())) {
        Trial.run(Programs.warmUp(), each, options, 0, alive);
      }
    }
    Trial[] own = fastest(program, both, options, tries, alive);
    Mixed mixed = (tiny ? once : inEarnest).measure(program, contender, options, own[0], alive);
    return point(key, own[0], own[1], mixed);
  }

  /** The fastest of a few runs of each, made in turn. */
  private static Trial[] fastest(
      Program program, PageContender[] of, PagingOptions options, int tries, Runnable alive)
      throws IOException {
    Trial[] fastest = new Trial[of.length];
    for (int i = 0; i < tries * of.length; i++) {
      int which = i % of.length;
      Trial trial = Trial.run(program, of[which], options, 0, alive);
      if (i < of.length || trial.seconds() < fastest[which].seconds()) {
        fastest[which] = trial;
      }
    }
    return fastest;
  }

  private static Point point(Point.Key key, Trial base, Trial own, Mixed mixed) {
    return Point.counted(
            key,
            own.paging().faults(),
            own.paging().pageReads() + own.paging().pageWrites(),
            own.seconds(),
            own.phases())
        .withFigures(
            Map.of(
                FAULTS,
                (double) own.paging().faults(),
                PAGE_READS,
                (double) own.paging().pageReads(),
                PAGE_WRITES,
                (double) own.paging().pageWrites(),
                PAGING,
                own.pagingSeconds(),
                BASE,
                base.seconds(),
                BASE_PAGING,
                base.pagingSeconds(),
                MIXED,
                mixed.seconds(),
                MIXED_PAGING,
                mixed.seconds() * mixed.share(),
                MIXED_BASE,
                mixed.baseSeconds(),
                MIXED_BASE_PAGING,
                mixed.baseSeconds() * mixed.baseShare()));
  }

  /** How many times longer the program took than without ORAM. */
  static double slowdown(Point point) {
    return point.seconds() / point.figure(BASE);
  }

  /** The same, at the paper's share. */
  static double slowdownAtPapersShare(Point point) {
    return point.figure(MIXED) / point.figure(MIXED_BASE);
  }

  /** Microseconds of a fault. */
  static double faultMicros(Point point) {
    return 1e6 * point.figure(PAGING) / Math.max(1, point.figure(FAULTS));
  }

  /** x: the share of its time that the program spends in paging without ORAM. */
  static double baseShare(Point point) {
    return point.figure(BASE_PAGING) / point.figure(BASE);
  }

  /** What it is after mixing. */
  static double mixedBaseShare(Point point) {
    return point.figure(MIXED_BASE_PAGING) / point.figure(MIXED_BASE);
  }

  /** Pages that the host moved for a fault: bytes read and written, as pages. */
  static double hostPages(Point point) {
    return (double) point.total().bytes()
        / PageContender.PAGE_BYTES
        / Math.max(1, point.figure(FAULTS));
  }

  /** Requests to the host for a fault. */
  static double requests(Point point) {
    return point.total().requests() / Math.max(1, point.figure(FAULTS));
  }
}
