package io.github.roram;

import java.util.List;

/**
 * What an ORAM did since it was opened and what its client holds.
 *
 * @param accesses accesses done; a Path ORAM counts each block
 * @param blocksAccessed blocks that the caller asked for
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
   * One tree.
   *
   * @param rangeBlocks blocks read together, 2^i for R_i
   * @param height h; the tree has levels 0 … h
   * @param treetopLevels m, levels held by the client
   * @param evictions path evictions done since creation
   * @param heldBlocks blocks in client memory now: treetop, waiting for eviction, and stash
   * @param stashBlocks blocks that the treetop's buckets could not take after the last eviction
   * @param stashMaxBlocks the largest such number since opening
   * @param paddingBlocks blocks that were written beyond the write share and evicted for when the
   *     backlog was full, since opening: above 0, the store saw that the share was exceeded
   * @param isMap whether its blocks hold the labels of other trees
   * @param mapBytes bytes of client memory for the labels of its ranges, and for what else says
   *     which copies of blocks are current
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

  /** Blocks evicted for because a backlog was full, in all trees, since opening. */
  public long paddingBlocks() {
    return trees.stream().mapToLong(TreeStats::paddingBlocks).sum();
  }

  /** Bytes of client memory for labels, and for what else says which copies are current. */
  public long mapBytes() {
    return trees.stream().mapToLong(TreeStats::mapBytes).sum();
  }

  /** The largest stash of any tree since opening, in blocks. */
  public int stashMaxBlocks() {
    return trees.stream().mapToInt(TreeStats::stashMaxBlocks).max().orElse(0);
  }
}
