package io.github.roram.bench.paging;

import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.bench.paging.Mixing.MixedPages;
import io.github.roram.bench.paging.program.PagedPrograms.PlainMemory;
import io.github.roram.bench.paging.program.PagedPrograms.Program;
import io.github.roram.bench.replay.StoredTarget;
import io.github.roram.bench.replay.Target;
import io.github.roram.paging.Memory;
import io.github.roram.paging.PageStore;
import io.github.roram.paging.PagedMemory;
import io.github.roram.paging.PagingOptions;
import io.github.roram.paging.PagingStats;
import io.github.roram.storage.device.IoCounts;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
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

  /** Creates a mixing that runs fully, or just once for scale tiny. */
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
      Program program, PageContender contender, PagingOptions options, Trial alone, Runnable alive)
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

  /**
   * Returns the number of rounds that would have been right for what was measured; 0 if even that
   * is too much.
   */
  private static int corrected(Mixed last) {
    double faultNanos = last.baseComputingNanos() * last.baseShare() / (1 - last.baseShare());
    double lacking = faultNanos * (1 / PAPERS_SHARE - 1) - last.baseComputingNanos();
    double rounds = last.rounds() + lacking / Computing.ofThisMachine().nanosPerRound();
    return (int) Math.round(Math.max(0, rounds));
  }

  private Mixed batch(
      Program program, PageContender contender, PagingOptions options, int rounds, Runnable alive)
      throws IOException {
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < tries; i++) {
      Trial base = Trial.run(program, PageContender.NONE, options, rounds, alive);
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

  /** Work that touches no memory: what programs are mixed with. */
  static final class Computing {

    private static final int CALIBRATION_ROUNDS = 10_000;
    private static final int CALIBRATIONS = 2_000;
    private static final long MULTIPLIER = 0xd1342543de82ef95L;

    private static final Computing OF_THIS_MACHINE = new Computing();

    private final double nanosPerRound;
    private long state = 1;

    private Computing() {
      double best = Double.MAX_VALUE;
      for (int i = 0; i < CALIBRATIONS; i++) {
        long start = System.nanoTime();
        run(CALIBRATION_ROUNDS);
        best = Math.min(best, (double) (System.nanoTime() - start) / CALIBRATION_ROUNDS);
      }
      nanosPerRound = best;
    }

    /** Returns the computing of this machine, calibrated once. */
    static Computing ofThisMachine() {
      return OF_THIS_MACHINE;
    }

    /** Returns the approximate time of a round. */
    double nanosPerRound() {
      return nanosPerRound;
    }

    /** Computes, and keeps the result so that it must be computed. */
    void run(int rounds) {
      state = computed(state, rounds);
    }

    private static long computed(long from, int rounds) {
      long value = from;
      for (int i = 0; i < rounds; i++) {
        value = Long.rotateLeft(value * MULTIPLIER, 17) + i;
      }
      return value;
    }
  }

  /**
   * Pages whose faults are each followed by computing, so that a program spends a smaller share of
   * its time in paging than its own. Not thread safe.
   */
  static final class MixedPages implements PageStore {

    private final PageStore pages;
    private final Computing computing = Computing.ofThisMachine();
    private int rounds;
    private long computingNanos;

    MixedPages(PageStore pages) {
      this.pages = pages;
    }

    /** Computes so long after each fault from now on. */
    void mixWith(int newRounds) {
      rounds = newRounds;
    }

    /** Returns what the computing took, which the memory above takes for time of faults. */
    long computingNanos() {
      return computingNanos;
    }

    @Override
    public int pageBytes() {
      return pages.pageBytes();
    }

    @Override
    public long pages() {
      return pages.pages();
    }

    @Override
    public void read(long page, byte[] target) throws IOException {
      pages.read(page, target);
      if (rounds > 0) {
        long start = System.nanoTime();
        computing.run(rounds);
        computingNanos += System.nanoTime() - start;
      }
    }

    @Override
    public void write(long page, byte[] source) throws IOException {
      pages.write(page, source);
    }

    @Override
    public void flush() throws IOException {
      pages.flush();
    }

    @Override
    public void close() throws IOException {
      pages.close();
    }
  }

  /**
   * A program that ran on paged memory, from its first step to its last; what it computed was found
   * right.
   *
   * @param seconds how long
   * @param pagingSeconds how much of that in faults
   * @param paging faults, pages read and written
   * @param phases what the host was asked for
   */
  record Trial(
      double seconds, double pagingSeconds, PagingStats paging, Map<IoPhase, IoCounts> phases) {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final int STEPS_BETWEEN_SIGNS = 64;
    private static final int LEAST_PAGES = 32;
    private static final int COMPARED_BYTES = 1 << 16;

    /**
     * Runs a program.
     *
     * @param rounds of computing after each fault
     * @throws IllegalStateException if it computes anything else than on plain memory
     */
    static Trial run(
        Program program, PageContender contender, PagingOptions options, int rounds, Runnable alive)
        throws IOException {
      try (PageContender.Pages backing = backing(contender, pages(program))) {
        MixedPages mixed = new MixedPages(backing.pages());
        PagedMemory memory = PagedMemory.over(mixed, options);
        Program.Run run = program.start(memory);
        PagingStats before = memory.stats();
        backing.store().reset();
        mixed.mixWith(rounds);
        long start = System.nanoTime();
        for (int steps = 0; run.step(); steps++) {
          if (steps % STEPS_BETWEEN_SIGNS == 0) {
            alive.run();
          }
        }
        long nanos = System.nanoTime() - start;
        PagingStats paging = memory.stats().minus(before);
        Map<IoPhase, IoCounts> phases = Target.phases(backing.store());
        mixed.mixWith(0);
        check(program, contender, run.result(), memory);
        return new Trial(
            nanos / NANOS_PER_SECOND,
            (paging.faultNanos() - mixed.computingNanos()) / NANOS_PER_SECOND,
            paging,
            phases);
      }
    }

    /** Returns the pages of a program's memory, enough for every K. */
    static long pages(Program program) {
      long needed = (program.bytes() + PageContender.PAGE_BYTES - 1) / PageContender.PAGE_BYTES;
      return Math.max(LEAST_PAGES, needed);
    }

    /** Checks the result, and every byte of the memory. */
    private static void check(Program program, PageContender contender, long result, Memory paged) {
      PlainMemory plain = new PlainMemory(program.bytes());
      long expected = Program.finish(program.start(plain));
      boolean same = expected == result;
      byte[] ours = new byte[COMPARED_BYTES];
      byte[] theirs = new byte[COMPARED_BYTES];
      for (long at = 0; same && at < plain.bytes(); at += COMPARED_BYTES) {
        int count = (int) Math.min(COMPARED_BYTES, plain.bytes() - at);
        paged.get(at, ours, 0, count);
        plain.get(at, theirs, 0, count);
        same = Arrays.equals(ours, 0, count, theirs, 0, count);
      }
      if (!same) {
        throw new IllegalStateException(
            program.id()
                + " computed something else on memory paged to "
                + contender.id()
                + " than on plain memory; this is a bug, please report it");
      }
    }

    double computingNanosPerFault() {
      return (seconds - pagingSeconds) * NANOS_PER_SECOND / Math.max(1, paging.faults());
    }

    /** Returns the share of time spent in paging. */
    double share() {
      return pagingSeconds / seconds;
    }

    /** Returns pages in this process's memory, as the pages of an enclave are in its host's. */
    private static PageContender.Pages backing(PageContender contender, long pages)
        throws IOException {
      OpenOptions options = StoredTarget.UNSYNCED.withThreads(contender.threads());
      return contender.create("mem:", pages, pagesOf(pages), options);
    }

    /** Returns the parameters of an ORAM of this many pages. */
    static OramConfig.Builder pagesOf(long pages) {
      return OramConfig.builder(pages).maxRangeBlocks(1);
    }
  }
}
