package io.github.roram.bench.contender;

import io.github.roram.OramConfig;
import io.github.roram.parameters.TreeParameters;

/** What a configuration plans to hold in client memory for blocks: treetops and windows. */
public final class ClientMemory {

  private ClientMemory() {}

  /** Treetops and windows. */
  public static long bytes(OramConfig config) {
    return TreeParameters.of(config).treetopBytes() + windowBytes(config);
  }

  static long windowBytes(OramConfig config) {
    return (long) TreeParameters.of(config).trees().length
        * TreeParameters.of(config).windowBlocks()
        * config.blockBytes();
  }

  /** The levels down to that of 2^{@code level} buckets in each tree. */
  static long treetopBytes(OramConfig config, int level) {
    long buckets = (2L << level) - 1;
    return TreeParameters.of(config).trees().length
        * buckets
        * TreeParameters.of(config).bucketSlots()
        * config.blockBytes();
  }

  /** The height of a tree. */
  static int height(OramConfig config) {
    return Integer.numberOfTrailingZeros(TreeParameters.of(config).leaves());
  }
}
