package io.github.roram;

import java.util.Arrays;
import java.util.Objects;

/**
 * The parameters of an ORAM: immutable, validated, without secrets. They are stored in the clear in
 * the store's superblock, since they shape what the store sees.
 *
 * <p>Symbols are those of the paper and of the construction: N blocks, L the longest range, Z slots
 * in a bucket, A blocks inserted for each eviction, K paths evicted in one chunk, W blocks that may
 * wait for their eviction, m treetop levels, h the height of a tree.
 */
public final class OramConfig {

  /** Smallest and largest block, in bytes. */
  public static final int MIN_BLOCK_BYTES = 512;

  /** Largest block, in bytes. */
  public static final int MAX_BLOCK_BYTES = 64 * 1024;

  /** Most blocks that one ORAM can hold. */
  public static final long MAX_BLOCKS = 1L << 30;

  /** Longest range, in blocks. */
  public static final int MAX_RANGE_BLOCKS = 1 << 16;

  /** What the client spends by default on the treetops of all trees together, in bytes. */
  public static final long DEFAULT_TREETOP_BYTES = 64L << 20;

  /** The write share is a multiple of 1 / this. */
  public static final int WRITE_SHARE_PARTS = 1 << 15;

  private final Scheme scheme;
  private final Preset preset;
  private final long blocks;
  private final int blockBytes;
  private final int maxRangeBlocks;
  private final int[] sizeClasses;
  private final int[] trees;
  private final int bucketSlots;
  private final int evictionRate;
  private final int blocksPerLeaf;
  private final long treetopBytes;
  private final int chunkPaths;
  private final int windowBlocks;
  private final int stashLimitBlocks;
  private final boolean fullDebt;
  private final boolean recursivePositionMap;
  private final int writeShareParts;

  private OramConfig(Builder b) {
    scheme = b.scheme;
    preset = b.preset;
    blocks = b.blocks;
    blockBytes = b.blockBytes;
    check("blocks", blocks, 1, MAX_BLOCKS, "use larger blocks, or several stores");
    check("blockBytes", blockBytes, MIN_BLOCK_BYTES, MAX_BLOCK_BYTES, "choose one within");
    if (blockBytes % MIN_BLOCK_BYTES != 0) {
      throw new ConfigurationException(
          "blockBytes is " + blockBytes + ", must be a multiple of " + MIN_BLOCK_BYTES);
    }
    int longest = (int) Math.min(MAX_RANGE_BLOCKS, ceilPowerOfTwo(blocks));
    maxRangeBlocks = b.maxRangeBlocks > 0 ? b.maxRangeBlocks : Math.min(256, longest);
    check(
        "maxRangeBlocks",
        maxRangeBlocks,
        1,
        longest,
        "no range is longer than the store; split longer ranges than 2^16");
    sizeClasses =
        scheme == Scheme.RORAM
            ? Exponents.sizeClasses(b.sizeClasses, maxRangeBlocks)
            : new int[] {0};
    if (scheme != Scheme.RORAM && b.sizeClasses.length > 0) {
      throw new ConfigurationException(
          "size classes belong to scheme roram; scheme " + scheme.id() + " has none");
    }
    trees = Exponents.trees(b.trees, sizeClasses, hasDefaultTrees(b));
    if (b.trees.length > 0 && (scheme != Scheme.RORAM || preset == Preset.PAPER)) {
      throw new ConfigurationException(
          "trees belong to scheme roram with preset compact or proven; leave them out");
    }
    bucketSlots = b.bucketSlots > 0 ? b.bucketSlots : preset.bucketSlots();
    evictionRate = b.evictionRate > 0 ? b.evictionRate : preset.evictionRate();
    blocksPerLeaf = b.blocksPerLeaf > 0 ? b.blocksPerLeaf : preset.blocksPerLeaf();
    check("bucketSlots (Z)", bucketSlots, 2, 64, "4 and 8 are tried and tested");
    check(
        "evictionRate (A)", evictionRate, 1, 64, "3 with Z = 4, 8 with Z = 8 are tried and tested");
    check(
        "blocksPerLeaf",
        blocksPerLeaf,
        1,
        bucketSlots,
        "trees need at least 2N slots: Z >= N/leaves");
    if (evictionRate > bucketSlots) {
      throw new ConfigurationException(
          "evictionRate (A) is "
              + evictionRate
              + ", must not exceed bucketSlots (Z) = "
              + bucketSlots
              + ": the stash would grow without bound");
    }
    boolean paper = preset == Preset.PAPER;
    fullDebt = paper;
    treetopBytes = b.treetopBytes >= 0 ? b.treetopBytes : defaultTreetop(scheme, paper);
    chunkPaths = b.chunkPaths > 0 ? b.chunkPaths : defaultChunk(paper);
    check("chunkPaths (K)", chunkPaths, 1, 1 << 18, "256 paths of 16 KB buckets make 4 MB extents");
    windowBlocks =
        b.windowBlocks >= 0
            ? b.windowBlocks
            : paper || scheme == Scheme.PATH ? 0 : evictionRate * chunkPaths;
    check("windowBlocks (W)", windowBlocks, 0, 1 << 24, "the blocks wait in client memory");
    stashLimitBlocks =
        b.stashLimitBlocks > 0 ? b.stashLimitBlocks : Math.max(1024, 4 * maxRangeBlocks);
    writeShareParts = b.writeShareParts;
    if (writeShareParts < WRITE_SHARE_PARTS && (scheme != Scheme.RORAM || paper)) {
      throw new ConfigurationException(
          "writeShare is "
              + writeShare()
              + ", below 1 only scheme roram has it, with preset compact or proven; leave it out");
    }
    recursivePositionMap = b.recursivePositionMap;
    if (recursivePositionMap && scheme != Scheme.PATH) {
      throw new ConfigurationException(
          "a recursive position map is available for scheme path only; scheme "
              + scheme.id()
              + " keeps its map in client memory (8 bytes a block)");
    }
  }

  /** Named size classes are wanted on the store, each with a tree, as in the paper. */
  private static boolean hasDefaultTrees(Builder b) {
    return b.scheme == Scheme.RORAM && b.preset != Preset.PAPER && b.sizeClasses.length == 0;
  }

  private static long defaultTreetop(Scheme scheme, boolean paper) {
    return scheme == Scheme.RORAM && !paper ? DEFAULT_TREETOP_BYTES : 0;
  }

  private int defaultChunk(boolean paper) {
    return switch (scheme) {
      case PATH -> 1;
      case PATH_BATCHED -> 32;
      case RORAM -> paper ? 2 << trees[trees.length - 1] : Math.min(256, leaves());
    };
  }

  private static void check(String name, long value, long min, long max, String remedy) {
    if (value < min || value > max) {
      throw new ConfigurationException(
          name + " is " + value + ", must be " + min + " to " + max + "; " + remedy);
    }
  }

  private static long ceilPowerOfTwo(long n) {
    return 1L << Exponents.ceilLog2(n);
  }

  /** Starts a configuration for {@code blocks} blocks (1 … 2^30; any number). */
  public static Builder builder(long blocks) {
    return new Builder(blocks);
  }

  /** A builder with every value of this configuration, derived ones included. */
  public Builder toBuilder() {
    Builder b =
        new Builder(blocks)
            .scheme(scheme)
            .preset(preset)
            .blockBytes(blockBytes)
            .maxRangeBlocks(maxRangeBlocks)
            .bucketSlots(bucketSlots)
            .evictionRate(evictionRate)
            .blocksPerLeaf(blocksPerLeaf)
            .treetopBytes(treetopBytes)
            .chunkPaths(chunkPaths)
            .windowBlocks(windowBlocks)
            .writeShare(writeShare())
            .stashLimitBlocks(stashLimitBlocks)
            .recursivePositionMap(recursivePositionMap);
    if (scheme == Scheme.RORAM) {
      b.sizeClasses(sizeClasses);
    }
    return hasTreeForEachClass() ? b : b.trees(trees);
  }

  /** The construction. */
  public Scheme scheme() {
    return scheme;
  }

  /** Where the parameters that were not given came from. */
  public Preset preset() {
    return preset;
  }

  /** N, the number of blocks. */
  public long blocks() {
    return blocks;
  }

  /** Bytes in a block. */
  public int blockBytes() {
    return blockBytes;
  }

  /** N · blockBytes, the size of the {@link Oram#channel} view. */
  public long bytes() {
    return blocks * blockBytes;
  }

  /** L, the longest range of one access, in blocks. */
  public int maxRangeBlocks() {
    return maxRangeBlocks;
  }

  /** The exponents i of the size classes, increasing from 0; {0} unless the scheme is rORAM. */
  public int[] sizeClasses() {
    return sizeClasses.clone();
  }

  /**
   * The exponents t of the trees, increasing from 0. A class is served by the tree of the longest
   * ranges that are not longer than its own.
   */
  public int[] trees() {
    return trees.clone();
  }

  /** Whether every size class has a tree, and no other range size. */
  public boolean hasTreeForEachClass() {
    return Arrays.equals(trees, sizeClasses);
  }

  /** Z, block slots in a bucket. */
  public int bucketSlots() {
    return bucketSlots;
  }

  /** A, blocks inserted for each path eviction. */
  public int evictionRate() {
    return evictionRate;
  }

  /** N divided by the number of leaves, before rounding up. */
  public int blocksPerLeaf() {
    return blocksPerLeaf;
  }

  /** Leaves of a tree of N blocks: a power of two. */
  public int leaves() {
    return (int) ceilPowerOfTwo((blocks + blocksPerLeaf - 1) / blocksPerLeaf);
  }

  /** Bytes of client memory for the top levels of all trees together. */
  public long treetopBytes() {
    return treetopBytes;
  }

  /** K, the most paths that one eviction chunk reads and writes. */
  public int chunkPaths() {
    return chunkPaths;
  }

  /** W, blocks of a tree that may wait for their eviction. */
  public int windowBlocks() {
    return windowBlocks;
  }

  /** The most blocks of a tree that its treetop cannot take, before accesses are refused. */
  public int stashLimitBlocks() {
    return stashLimitBlocks;
  }

  /**
   * ρ, the public write share: what part of the blocks that accesses could have written the trees
   * of other size classes owe evictions for. 1 unless set.
   */
  public double writeShare() {
    return (double) writeShareParts / WRITE_SHARE_PARTS;
  }

  /** ρ in parts of {@link #WRITE_SHARE_PARTS}: 1 to that. */
  public int writeShareParts() {
    return writeShareParts;
  }

  /**
   * The most blocks written beyond the share that a tree holds in client memory, before evictions
   * for all of them are owed at once: 4W, at least 4L; 0 with a share of 1.
   */
  public int backlogBlocks() {
    return writeShareParts == WRITE_SHARE_PARTS
        ? 0
        : (int) Math.min(1 << 24, 4L * Math.max(windowBlocks, maxRangeBlocks));
  }

  /** Whether every tree owes 2·2^i evictions for an access of class i, as in the paper (§V). */
  public boolean fullDebt() {
    return fullDebt;
  }

  /** Whether the position map lives in smaller ORAMs on the store (scheme path only). */
  public boolean recursivePositionMap() {
    return recursivePositionMap;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof OramConfig that && toString().equals(that.toString());
  }

  @Override
  public int hashCode() {
    return Objects.hash(toString());
  }

  /** Every parameter as {@code name=value}, separated by spaces. */
  @Override
  public String toString() {
    return "scheme="
        + scheme.id()
        + " preset="
        + preset.id()
        + " blocks="
        + blocks
        + " blockBytes="
        + blockBytes
        + " maxRangeBlocks="
        + maxRangeBlocks
        + " sizeClasses="
        + Arrays.toString(sizeClasses).replace(" ", "")
        + (hasTreeForEachClass() ? "" : " trees=" + Arrays.toString(trees).replace(" ", ""))
        + " Z="
        + bucketSlots
        + " A="
        + evictionRate
        + " blocksPerLeaf="
        + blocksPerLeaf
        + " treetopBytes="
        + treetopBytes
        + " chunkPaths="
        + chunkPaths
        + " windowBlocks="
        + windowBlocks
        + " stashLimitBlocks="
        + stashLimitBlocks
        + " recursivePositionMap="
        + recursivePositionMap
        + (writeShareParts == WRITE_SHARE_PARTS ? "" : " writeShare=" + writeShare());
  }

  /** Collects parameters; what is not set follows from the preset. */
  public static final class Builder {
    private final long blocks;
    private Scheme scheme = Scheme.RORAM;
    private Preset preset = Preset.COMPACT;
    private int blockBytes = 4096;
    private int maxRangeBlocks;
    private int[] sizeClasses = {};
    private int[] trees = {};
    private int bucketSlots;
    private int evictionRate;
    private int blocksPerLeaf;
    private long treetopBytes = -1;
    private int chunkPaths;
    private int windowBlocks = -1;
    private int stashLimitBlocks;
    private boolean recursivePositionMap;
    private int writeShareParts = WRITE_SHARE_PARTS;

    private Builder(long blocks) {
      this.blocks = blocks;
    }

    /** The construction; default rORAM. */
    public Builder scheme(Scheme value) {
      scheme = value;
      return this;
    }

    /** Source of the values that are not set; default compact. */
    public Builder preset(Preset value) {
      preset = value;
      return this;
    }

    /** Bytes in a block: a multiple of 512 up to 65536; default 4096. */
    public Builder blockBytes(int value) {
      blockBytes = value;
      return this;
    }

    /** L, the longest range in blocks; default 256, or all blocks where there are fewer. */
    public Builder maxRangeBlocks(int value) {
      check("maxRangeBlocks", value, 1, MAX_RANGE_BLOCKS, "split longer ranges");
      maxRangeBlocks = value;
      return this;
    }

    /** Exponents of the range sizes that accesses show, from 0 up to that of L; default all. */
    public Builder sizeClasses(int... exponents) {
      sizeClasses = exponents.clone();
      return this;
    }

    /**
     * Exponents of the range sizes that have a tree, from 0 on, scheme roram only; default 0 and 5;
     * where size classes are set, or no range is longer than 16 blocks, the size classes. Fewer
     * trees cost fewer bytes and less space, and more seeks in accesses of the classes between: an
     * access of class i reads {@code 2^(i−t) + 1} ranges of 2^t blocks (2^i of one block) from the
     * tree with the largest t ≤ i. The paper's preset has a tree for each class.
     */
    public Builder trees(int... exponents) {
      trees = exponents.clone();
      return this;
    }

    /** Z. */
    public Builder bucketSlots(int value) {
      check("bucketSlots (Z)", value, 2, 64, "4 and 8 are tried and tested");
      bucketSlots = value;
      return this;
    }

    /** A. */
    public Builder evictionRate(int value) {
      check("evictionRate (A)", value, 1, 64, "3 with Z = 4, 8 with Z = 8 are tried and tested");
      evictionRate = value;
      return this;
    }

    /** N divided by the number of leaves. */
    public Builder blocksPerLeaf(int value) {
      check("blocksPerLeaf", value, 1, 64, "the presets use 1 and 4");
      blocksPerLeaf = value;
      return this;
    }

    /** Client memory for the treetops of all trees together; 0 for none. */
    public Builder treetopBytes(long value) {
      check("treetopBytes", value, 0, 1L << 40, "give bytes of client memory");
      treetopBytes = value;
      return this;
    }

    /** K. */
    public Builder chunkPaths(int value) {
      check("chunkPaths (K)", value, 1, 1 << 18, "256 paths of 16 KB buckets make 4 MB extents");
      chunkPaths = value;
      return this;
    }

    /** W; 0 evicts after every access. */
    public Builder windowBlocks(int value) {
      check("windowBlocks (W)", value, 0, 1 << 24, "the blocks wait in client memory");
      windowBlocks = value;
      return this;
    }

    /** Blocks beyond treetop and window that a tree may hold; the default is 4L, at least 1024. */
    public Builder stashLimitBlocks(int value) {
      check("stashLimitBlocks", value, 1, 1 << 24, "the blocks are held in client memory");
      stashLimitBlocks = value;
      return this;
    }

    /**
     * ρ, above 0 and at most 1, rounded up to a multiple of 2^-15; scheme roram only. Loads that
     * write a smaller part of what they access then cost less. A load that writes more for long
     * shows that it does: see {@link OramConfig#backlogBlocks}.
     */
    public Builder writeShare(double value) {
      if (!(value > 0 && value <= 1)) {
        throw new ConfigurationException(
            "writeShare is "
                + value
                + ", must be above 0 and at most 1; 1 hides reads and writes at any share");
      }
      writeShareParts = (int) Math.ceil(value * WRITE_SHARE_PARTS);
      return this;
    }

    /** Keeps the position map in smaller ORAMs on the store; scheme path only. */
    public Builder recursivePositionMap(boolean value) {
      recursivePositionMap = value;
      return this;
    }

    /**
     * The configuration.
     *
     * @throws ConfigurationException if a value is out of bounds or does not fit the others
     */
    public OramConfig build() {
      return new OramConfig(this);
    }
  }
}
