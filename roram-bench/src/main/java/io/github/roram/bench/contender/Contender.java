package io.github.roram.bench.contender;

import io.github.roram.OramConfig;
import java.util.List;
import java.util.function.Function;

/**
 * A named scheme with parameters. Every ratio names the contender that it refers to. {@link
 * Contenders} has those that are compared by default; an experiment may have its own.
 *
 * @param id name on command lines, in files and in charts
 * @param note description, in a sentence
 * @param look number of its colour, mark and dashes in charts
 * @param traits how it accesses its store
 * @param parameters returns its parameters for a device
 */
public record Contender(
    String id, String note, int look, Traits traits, Function<DeviceShape, OramConfig> parameters) {

  /**
   * Its parameters for a device.
   *
   * @throws io.github.roram.ConfigurationException if it cannot be made for that one
   */
  public OramConfig config(DeviceShape device) {
    return parameters.apply(device);
  }

  /** Its parameters for a device of blocks of 4 KB, and the longest range of an access. */
  public OramConfig config(long blocks, int maxRangeBlocks) {
    return config(DeviceShape.of(blocks, maxRangeBlocks));
  }

  /**
   * Returns a contender with other parameters under another name, which accesses its store in the
   * same way.
   */
  public Contender variant(
      String newId, String newNote, Function<DeviceShape, OramConfig> newParameters) {
    return new Contender(newId, newNote, look, traits, newParameters);
  }

  @Override
  public String toString() {
    return id;
  }

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

  /**
   * What must be known of a contender to count fairly, and to tell how long that takes.
   *
   * @param ranges whether a range costs one access, and not one for each block
   * @param chunks whether evictions come in chunks, so that whole cycles of chunks must be counted
   * @param likePrototype whether to ask for each bucket by a request of its own, as the published
   *     prototype does, on trees of its shape
   * @param leastBlocks blocks over which the seeks of paths at random places are averaged, at
   *     least; 0 for two queries, where each is long enough
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

    /** Ranges of places in a row, without evictions. */
    static final Traits PLAIN = new Traits(false, false, false, USUAL_BLOCKS, 1, 0);

    /** Block by block, evictions in chunks. */
    public static final Traits BLOCKS_IN_CHUNKS =
        new Traits(false, true, false, USUAL_BLOCKS, 50, 0);

    /** Ranges, evictions in chunks. */
    public static final Traits RANGES = new Traits(true, true, false, USUAL_BLOCKS, 15, 7);

    /** Ranges as the paper has them: deep trees, every access long. */
    static final Traits PAPERS_RANGES = new Traits(true, true, false, 0, 0, 40);

    /** Returns the approximate number of buckets moved for each block. */
    public double bucketsPerBlock(int trees) {
      return bucketsPerBlock + bucketsPerBlockAndTree * trees;
    }
  }
}
