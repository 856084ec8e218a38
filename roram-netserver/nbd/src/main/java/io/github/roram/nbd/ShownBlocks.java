package io.github.roram.nbd;

/**
 * Of how many blocks the accesses of a request are: a function of its length, and of whether it is
 * aligned as requests of that length are. Where exactly it begins does not show.
 *
 * <p>With u the largest power of two that divides the length, up to a block: a request that begins
 * at a multiple of u takes as many blocks as one of its length there can lie in at most; so 512
 * bytes are one block, as 4096 are. Others take as many as a request of the length can lie in
 * wherever it begins.
 */
final class ShownBlocks {

  private ShownBlocks() {}

  /** Number of blocks; {@code blockBytes} is a power of two, {@code length} at least 1. */
  static long of(long offset, long length, int blockBytes) {
    long unit = Math.min(blockBytes, Long.lowestOneBit(length));
    long lastStart = offset % unit == 0 ? blockBytes - unit : blockBytes - 1L;
    return (lastStart + length - 1) / blockBytes + 1;
  }
}
