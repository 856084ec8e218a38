package io.github.roram;

import java.util.List;

/**
 * Counters of an ORAM since it was opened, and what its client holds.
 *
 * @param accesses accesses made; a Path ORAM counts each block as one
 * @param blocksAccessed blocks that callers asked for
 * @param bulkLoadBytes bytes written to the store by a bulk load
 * @param trees one entry for each tree
 */
public record OramStats(
    long accesses, long blocksAccessed, long bulkLoadBytes, List<TreeStats> trees) {

  /** Copies the list. */
  public OramStats {
    trees = List.copyOf(trees);
  }

  /**
   * Counters of one tree.
   *
   * @param rangeBlocks blocks read together, 2^i for R_i
   * @param height h; the tree has levels 0 … h
   * @param treetopLevels m, levels held by the client
   * @param evictions path evictions done since creation
   * @param heldBlocks blocks in client memory now: treetop, waiting for eviction, and stash
   * @param stashBlocks blocks for which the treetop's buckets had no room after the last eviction
   * @param stashMaxBlocks the largest {@code stashBlocks} since opening
   * @param paddingBlocks blocks written beyond the write share that caused evictions because the
   *     backlog was full, since opening; above 0, the store saw that the share was exceeded
   * @param isMap whether its blocks hold the labels of other trees
   * @param mapBytes bytes of client memory for the labels of its ranges, and for other data that
   *     says which copies of blocks are current
   */
  public record TreeStats(
      int rangeBlocks,
      int height,
      int treetopLevels,
      long evictions,
      int heldBlocks,
      int stashBlocks,
      int stashMaxBlocks,
      long paddingBlocks,
      boolean isMap,
      long mapBytes) {}

  /** Returns the sum of {@link TreeStats#paddingBlocks} over all trees. */
  public long paddingBlocks() {
    return trees.stream().mapToLong(TreeStats::paddingBlocks).sum();
  }

  /** Returns the sum of {@link TreeStats#mapBytes} over all trees. */
  public long mapBytes() {
    return trees.stream().mapToLong(TreeStats::mapBytes).sum();
  }

  /** Returns the largest stash of any tree since opening, in blocks. */
  public int stashMaxBlocks() {
    return trees.stream().mapToInt(TreeStats::stashMaxBlocks).max().orElse(0);
  }
}
