package io.github.roram.auditor.overlap;

import java.util.SplittableRandom;

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
      (random, number, count, blocks) -> new Made(number / 8 % (blocks - count + 1), isOdd(number));

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
