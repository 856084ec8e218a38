package io.github.roram;

/**
 * What is in flight in an {@link AsyncOram} whose accesses overlap. Keep these numbers on the
 * client's side: the number of fake reads tells which accesses came together.
 *
 * @param pendingReads reads of paths in flight
 * @param owedBlocks blocks whose evictions are still to be made, in all trees; with scheme {@code
 *     tao}, paths that were read and not yet written back
 * @param evictionsUnderWay paths of eviction chunks that are being read or written
 * @param fakeReads random runs read since opening in place of ranges that were already being read
 *     when an access asked for them
 * @param subtreeBuckets buckets that scheme {@code tao} holds between reading and writing them; 0
 *     with other schemes
 */
public record OverlapStats(
    int pendingReads, long owedBlocks, int evictionsUnderWay, long fakeReads, int subtreeBuckets) {

  /** The value for an ORAM that makes one access after another. */
  public static final OverlapStats NONE = new OverlapStats(0, 0, 0, 0, 0);
}
