package io.github.roram.bench.paging;

import io.github.roram.bench.paging.program.Program;
import io.github.roram.paging.PagingOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Mixes programs with so much computing after each fault that without ORAM they spend the paper's
 * share x of their time in paging. How much that takes is found on the mixed program itself: runs
 * with and without ORAM are made in turn, and where the median of their x is off, the computing is
 * changed by what these runs took, and all are made again. Not thread safe.
 */
final class Mixing {

  /** The share x at which the paper's figures are 1 + x K. */
  static final double PAPERS_SHARE = 0.14;

  /** How far off x may be. */
  static final double MOST_OFF = 0.003;

  private static final int TRIES = 5;
  private static final int BATCHES = 6;

  private final int tries;
  private final int batches;

  /** Rounds that were right for a program last time. */
  private final Map<String, Integer> found = new HashMap<>();

  /** In earnest, or just once for scale tiny. */
  Mixing(boolean once) {
    tries = once ? 1 : TRIES;
    batches = once ? 1 : BATCHES;
  }

  /**
   * Medians of runs in turn.
   *
   * @param rounds of computing after each fault
   * @param baseSeconds what a run without ORAM took
   * @param baseShare x, the share of that in paging
   * @param baseComputingNanos time of a fault's share of everything else
   * @param slowdown how many times longer the run after it, with ORAM, took
   * @param share of that, in paging
   */
  record Mixed(
      int rounds,
      double baseSeconds,
      double baseShare,
      double baseComputingNanos,
      double slowdown,
      double share) {

    double off() {
      return Math.abs(baseShare - PAPERS_SHARE);
    }

    double seconds() {
      return baseSeconds * slowdown;
    }
  }

  private record Pair(Trial base, Trial ours) {
    double slowdown() {
      return ours.seconds() / base.seconds();
    }
  }

  /**
   * Measures a contender at the paper's share; if no try comes close enough to that, at the share
   * that was closest.
   *
   * @param alone the program without ORAM and computing
   */
  Mixed measure(
      Program program,
      PagingContender contender,
      PagingOptions options,
      Trial alone,
      Runnable alive)
      throws IOException {
    Mixed last = new Mixed(0, alone.seconds(), alone.share(), alone.computingNanosPerFault(), 1, 1);
    int rounds = found.containsKey(program.id()) ? found.get(program.id()) : corrected(last);
    last = batch(program, contender, options, rounds, alive);
    Mixed closest = last;
    for (int i = 1; i < batches && closest.off() > MOST_OFF; i++) {
      last = batch(program, contender, options, corrected(last), alive);
      closest = last.off() < closest.off() ? last : closest;
    }
    found.put(program.id(), closest.rounds());
    return closest;
  }

  /** The rounds that would have been right for what was measured; none if even that is too much. */
  private static int corrected(Mixed last) {
    double faultNanos = last.baseComputingNanos() * last.baseShare() / (1 - last.baseShare());
    double lacking = faultNanos * (1 / PAPERS_SHARE - 1) - last.baseComputingNanos();
    double rounds = last.rounds() + lacking / Computing.ofThisMachine().nanosPerRound();
    return (int) Math.round(Math.max(0, rounds));
  }

  private Mixed batch(
      Program program, PagingContender contender, PagingOptions options, int rounds, Runnable alive)
      throws IOException {
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < tries; i++) {
      Trial base = Trial.run(program, PagingContenders.NONE, options, rounds, alive);
      pairs.add(new Pair(base, Trial.run(program, contender, options, rounds, alive)));
    }
    return new Mixed(
        rounds,
        median(pairs, pair -> pair.base().seconds()),
        median(pairs, pair -> pair.base().share()),
        median(pairs, pair -> pair.base().computingNanosPerFault()),
        median(pairs, Pair::slowdown),
        median(pairs, pair -> pair.ours().share()));
  }

  private static double median(List<Pair> pairs, ToDoubleFunction<Pair> figure) {
    return pairs.stream().mapToDouble(figure).sorted().toArray()[pairs.size() / 2];
  }
}
