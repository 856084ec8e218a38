package io.github.roram;

/**
 * What an {@link AsyncOram} whose accesses overlap has under way. For the client's side alone: the
 * number of fake reads tells which accesses came together.
 *
 * @param pendingReads reads of paths that were begun and are not complete
 * @param owedBlocks blocks that evictions are owed for, in all trees; with scheme {@code tao} paths
 *     that were read and are not written back
 * @param evictionsUnderWay paths of the eviction chunks that are being read or written
 * @param fakeReads ranges that were being read already when an access wanted them, so that a random
 *     run was read instead; since opening
 * @param subtreeBuckets buckets that scheme {@code tao} holds between reading and writing them; 0
 *     with others
 */
public record OverlapStats(
    int pendingReads, long owedBlocks, int evictionsUnderWay, long fakeReads, int subtreeBuckets) {

  /** Of an ORAM that makes one access after another. */
  public static final OverlapStats NONE = new OverlapStats(0, 0, 0, 0, 0);
}
