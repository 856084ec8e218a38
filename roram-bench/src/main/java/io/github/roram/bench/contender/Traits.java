package io.github.roram.bench.contender;

/**
 * What must be known of a contender to count fairly, and to tell how long that takes.
 *
 * @param ranges whether a range costs one access, and not one for each block
 * @param chunks whether evictions come in chunks, so that whole cycles of chunks must be counted
 * @param likePrototype whether to ask for each bucket by a request of its own, as the published
 *     prototype does, on trees of its shape
 * @param leastBlocks blocks over which the seeks of paths at random places are averaged, at least;
 *     0 for two queries, where each is long enough
 * @param bucketsPerBlock about the buckets that a block moves, whatever the number of trees
 * @param bucketsPerBlockAndTree about the buckets that it moves for each tree
 */
public record Traits(
    boolean ranges,
    boolean chunks,
    boolean likePrototype,
    int leastBlocks,
    double bucketsPerBlock,
    double bucketsPerBlockAndTree) {

  private static final int USUAL_BLOCKS = 256;

  /** Block by block, each eviction at once. */
  public static final Traits BLOCKS = new Traits(false, false, false, USUAL_BLOCKS, 60, 0);

  /** The same, each bucket by a request of its own. */
  static final Traits PROTOTYPE = new Traits(false, false, true, USUAL_BLOCKS, 200, 0);

  /** Block by block, evictions in chunks. */
  public static final Traits BLOCKS_IN_CHUNKS = new Traits(false, true, false, USUAL_BLOCKS, 50, 0);

  /** Ranges, evictions in chunks. */
  public static final Traits RANGES = new Traits(true, true, false, USUAL_BLOCKS, 15, 7);

  /** Ranges as the paper has them: deep trees, every access long. */
  static final Traits PAPERS_RANGES = new Traits(true, true, false, 0, 0, 40);

  /** About the buckets that a block moves. */
  public double bucketsPerBlock(int trees) {
    return bucketsPerBlock + bucketsPerBlockAndTree * trees;
  }
}
