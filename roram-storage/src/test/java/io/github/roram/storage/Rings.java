package io.github.roram.storage;

import io.github.roram.OramConfig;

/** Small stores of scheme ring, of several stored levels. */
public final class Rings {

  private Rings() {}

  /** One of leaves of about four blocks, with evictions after four blocks. */
  public static OramConfig small(int blocks, int blockBytes, int maxRangeBlocks) {
    int height = Math.max(0, 30 - Integer.numberOfLeadingZeros(Math.max(2, blocks) - 1));
    return of(blocks, blockBytes, maxRangeBlocks, 4, 2, height, height / 2);
  }

  /** As it is on a store of objects. */
  public static OramConfig onObjects(OramConfig config) {
    return config.toBuilder().set("evictionReads", "buckets").build();
  }

  /** One of this shape: A, 2^s, h and m. */
  public static OramConfig of(
      int blocks, int blockBytes, int maxRangeBlocks, int rate, int fanOut, int height, int top) {
    return OramConfig.builder(blocks)
        .scheme("ring")
        .blockBytes(blockBytes)
        .maxRangeBlocks(maxRangeBlocks)
        .set("evictionBlocks", rate)
        .set("fanOut", fanOut)
        .set("height", height)
        .set("treetopLevels", top)
        .build();
  }
}
