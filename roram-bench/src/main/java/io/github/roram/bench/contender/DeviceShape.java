package io.github.roram.bench.contender;

import java.util.List;

/**
 * The device that contenders are made for.
 *
 * @param blocks N
 * @param blockBytes bytes in a block
 * @param maxRangeBlocks L, the longest range of an access
 * @param sizeClasses exponents of the size classes, each with a tree, for contenders that have
 *     ranges; empty for what they have otherwise
 */
public record DeviceShape(
    long blocks, int blockBytes, int maxRangeBlocks, List<Integer> sizeClasses) {

  private static final int USUAL_BLOCK_BYTES = 4096;

  /** Copies the list. */
  public DeviceShape {
    sizeClasses = List.copyOf(sizeClasses);
  }

  /** Blocks of 4 KB, no size classes by name. */
  public static DeviceShape of(long blocks, int maxRangeBlocks) {
    return new DeviceShape(blocks, USUAL_BLOCK_BYTES, maxRangeBlocks, List.of());
  }
}
