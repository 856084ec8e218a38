package io.github.roram.auditor.workload;

import io.github.roram.OramConfig;
import java.util.SplittableRandom;

/**
 * How long the accesses of a workload are, and when its client dies: of all size classes, and the
 * same in every run.
 */
final class Lengths {

  private static final int CRASHES_EVERY = 4;

  /** How many accesses before one that {@link #isAgain} the access lies that it repeats. */
  static final int AGAIN_AFTER = 3;

  private final int maxRangeBlocks;
  private final int blockBytes;
  private final SplittableRandom fixed = new SplittableRandom(0);

  Lengths(OramConfig config) {
    maxRangeBlocks = config.maxRangeBlocks();
    blockBytes = config.blockBytes();
  }

  /** Blocks of the next access, 1 to the longest range; all orders of magnitude as often. */
  int nextBlocks() {
    int exponents = Integer.SIZE - Integer.numberOfLeadingZeros(maxRangeBlocks - 1);
    int exponent = fixed.nextInt(exponents + 1);
    int longest = Math.min(maxRangeBlocks, 1 << exponent);
    return exponent == 0 ? 1 : fixed.nextInt((1 << (exponent - 1)) + 1, longest + 1);
  }

  /** Bytes of the next transfer, which starts {@link #nextSkip} bytes behind that of a block. */
  int nextBytes(int blocks, int skip) {
    // The last block must be among those touched, and the first one is from skip on.
    int least = blocks == 1 ? 1 : (blocks - 1) * blockBytes - skip + 1;
    return fixed.nextInt(least, blocks * blockBytes - skip + 1);
  }

  int nextSkip() {
    return fixed.nextInt(blockBytes);
  }

  /** Whether the client dies in an access. */
  static boolean isLast(int access) {
    return access % CRASHES_EVERY == CRASHES_EVERY - 1;
  }

  /**
   * Whether an access, one of the first two of a client that was started again, was made before.
   */
  static boolean isAgain(int access) {
    return access >= CRASHES_EVERY && access % CRASHES_EVERY < CRASHES_EVERY / 2;
  }

  /** In which call of an access the client dies. */
  int nextCall(int calls) {
    return fixed.nextInt(calls);
  }
}
