package io.github.roram.bench.paging;

import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.bench.paging.Mixing.MixedPages;
import io.github.roram.bench.paging.program.PlainMemory;
import io.github.roram.bench.paging.program.Program;
import io.github.roram.bench.replay.StoredTarget;
import io.github.roram.bench.replay.Target;
import io.github.roram.paging.Memory;
import io.github.roram.paging.PagedMemory;
import io.github.roram.paging.PagingOptions;
import io.github.roram.paging.PagingStats;
import io.github.roram.storage.device.IoCounts;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;

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

  /** Of its memory; enough of them for every K. */
  static long pages(Program program) {
    long needed = (program.bytes() + PageContender.PAGE_BYTES - 1) / PageContender.PAGE_BYTES;
    return Math.max(LEAST_PAGES, needed);
  }

  /** The result, and every byte of the memory. */
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

  double nanosPerFault() {
    return pagingSeconds * NANOS_PER_SECOND / Math.max(1, paging.faults());
  }

  double computingNanosPerFault() {
    return (seconds - pagingSeconds) * NANOS_PER_SECOND / Math.max(1, paging.faults());
  }

  /** Time spent in paging. */
  double share() {
    return pagingSeconds / seconds;
  }

  /** In this process's memory, as the pages of an enclave lie in its host's. */
  private static PageContender.Pages backing(PageContender contender, long pages)
      throws IOException {
    OpenOptions options = StoredTarget.UNSYNCED.withThreads(contender.threads());
    return contender.create("mem:", pages, pagesOf(pages), options);
  }

  /** What is chosen of an ORAM of so many pages. */
  static OramConfig.Builder pagesOf(long pages) {
    return OramConfig.builder(pages).maxRangeBlocks(1);
  }
}
