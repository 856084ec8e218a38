package io.github.roram.auditor.overlap;

import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Two workloads that must look alike while accesses overlap.
 *
 * @param name on the command line and in reports
 * @param about what must not show: half a sentence
 * @param left one of them
 * @param right the other
 */
record OverlapPair(String name, String about, OverlapWorkload left, OverlapWorkload right) {

  private static final List<OverlapPair> ALL =
      List.of(
          new OverlapPair(
              "reads-writes",
              "whether blocks are read or written",
              OverlapWorkload.READS,
              OverlapWorkload.WRITES),
          new OverlapPair(
              "same-distinct",
              "whether accesses go to the block that others read or write meanwhile",
              OverlapWorkload.ONE_BLOCK,
              OverlapWorkload.SEQUENTIAL),
          new OverlapPair(
              "in-flight",
              "whether a block is being accessed already",
              OverlapWorkload.IN_FLIGHT,
              OverlapWorkload.MIXED),
          new OverlapPair(
              "sequential-random",
              "whether ranges follow one another",
              OverlapWorkload.SEQUENTIAL,
              OverlapWorkload.MIXED),
          new OverlapPair(
              "hot-cold",
              "how often a block is accessed",
              OverlapWorkload.HOT,
              OverlapWorkload.MIXED));

  /** The names of all. */
  static List<String> names() {
    return ALL.stream().map(OverlapPair::name).toList();
  }

  /** The pair of that name; empty if there is none. */
  static Optional<OverlapPair> named(String name) {
    return ALL.stream().filter(pair -> pair.name().equals(name)).findFirst();
  }

  /** Which blocks accesses touch that overlap, and whether they write: what must not show. */
  @FunctionalInterface
  interface OverlapWorkload {

    /** Some blocks that were accessed a while ago, and some that are under way. */
    int HOT_BLOCKS = 24;

    /** An access. */
    record Made(int block, boolean writes) {}

    /**
     * The next access.
     *
     * @param number from 0
     * @param count how many blocks it has
     * @param blocks how many there are
     */
    Made next(SplittableRandom random, int number, int count, int blocks);

    /** Ranges anywhere that are read. */
    OverlapWorkload READS =
        (random, number, count, blocks) -> new Made(anywhere(random, count, blocks), false);

    /** Ranges anywhere that are written. */
    OverlapWorkload WRITES =
        (random, number, count, blocks) -> new Made(anywhere(random, count, blocks), true);

    /** Ranges anywhere, read and written in turn. */
    OverlapWorkload MIXED =
        (random, number, count, blocks) -> new Made(anywhere(random, count, blocks), isOdd(number));

    /** One block all the time, so that those under way are of it, too. */
    OverlapWorkload ONE_BLOCK =
        (random, number, count, blocks) -> new Made(Math.min(8, blocks - count), isOdd(number));

    /** Each block while some accesses to it are under way, then the next. */
    OverlapWorkload IN_FLIGHT =
        (random, number, count, blocks) ->
            new Made(number / 8 % (blocks - count + 1), isOdd(number));

    /** A few blocks. */
    OverlapWorkload HOT =
        (random, number, count, blocks) ->
            new Made(random.nextInt(Math.min(HOT_BLOCKS, blocks - count + 1)), isOdd(number));

    /** One range after another. */
    OverlapWorkload SEQUENTIAL =
        (random, number, count, blocks) -> new Made(number % (blocks - count + 1), isOdd(number));

    private static int anywhere(SplittableRandom random, int count, int blocks) {
      return random.nextInt(blocks - count + 1);
    }

    private static boolean isOdd(int number) {
      return number % 2 == 1;
    }
  }
}
