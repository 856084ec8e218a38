package io.github.roram.parameters;

import io.github.roram.ConfigurationException;
import io.github.roram.OramConfig;
import io.github.roram.Preset;
import io.github.roram.SchemeParameters;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The parameters of a scheme whose blocks are in binary trees.
 *
 * <p>Symbols are those of the paper and of the construction: N blocks, L the longest range, Z slots
 * in a bucket, A blocks inserted for each eviction, K paths evicted in one chunk, W blocks that may
 * wait for their eviction, m treetop levels, h the height of a tree.
 */
public abstract sealed class TreeParameters implements SchemeParameters
    permits RangeOramParameters, BatchedPathParameters, PathParameters, TaoParameters {

  /** The write share is a multiple of 1 / this. */
  public static final int WRITE_SHARE_PARTS = 1 << 15;

  /** What the client spends by default on the treetops of all trees together, in bytes. */
  public static final long DEFAULT_TREETOP_BYTES = 64L << 20;

  /** What parts of a level a treetop is measured in. */
  public static final int TREETOP_PARTS = 16;

  /** What of it may be another at each opening. */
  public static final Set<String> OPENING_NAMES = Set.of("stashLimitBlocks", "ringBytes");

  private final TreeShape shape;

  TreeParameters(TreeShape shape) {
    this.shape = shape;
  }

  /**
   * Those of a configuration.
   *
   * @throws ConfigurationException if its scheme has no trees
   */
  public static TreeParameters of(OramConfig config) {
    if (config.parameters() instanceof TreeParameters parameters) {
      return parameters;
    }
    throw new ConfigurationException(
        "scheme " + config.scheme() + " has no trees; use scheme path, path-batched, roram or tao");
  }

  /** Adds what only this scheme has. */
  abstract void addOwnTo(Map<String, String> settings);

  @Override
  public final Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    shape.addTo(settings);
    addOwnTo(settings);
    return settings;
  }

  /** Where the parameters that were not given came from. */
  public final Preset preset() {
    return shape.preset();
  }

  @Override
  public final int maxRangeBlocks() {
    return shape.maxRangeBlocks();
  }

  /** The exponents i of the size classes, increasing from 0; {0} unless the scheme is rORAM. */
  public int[] sizeClasses() {
    return new int[] {0};
  }

  /**
   * The exponents t of the trees, increasing from 0. A class is served by the tree of the longest
   * ranges that are not longer than its own.
   */
  public int[] trees() {
    return new int[] {0};
  }

  /** Whether every size class has a tree, and no other range size. */
  public final boolean hasTreeForEachClass() {
    return Arrays.equals(trees(), sizeClasses());
  }

  /** Z, block slots in a bucket. */
  public final int bucketSlots() {
    return shape.bucketSlots();
  }

  /** A, blocks inserted for each path eviction: a multiple of 1/2. */
  public final double evictionRate() {
    return evictionHalfBlocks() / 2.0;
  }

  /** 2A: half blocks inserted for each path eviction. */
  public final int evictionHalfBlocks() {
    return shape.evictionHalfBlocks();
  }

  /** Blocks inserted for so many path evictions, rounded up. */
  public final int blocksEvictedBy(int paths) {
    return TreeShape.blocks(evictionHalfBlocks(), paths);
  }

  /** N divided by the number of leaves, before rounding up. */
  public final int blocksPerLeaf() {
    return shape.blocksPerLeaf();
  }

  /** Leaves of a tree of N blocks: a power of two. */
  public final int leaves() {
    return shape.leaves();
  }

  /** Bytes of client memory for the top levels of all trees together. */
  public final long treetopBytes() {
    return shape.treetopBytes();
  }

  /**
   * What part of the level below the treetop's whole levels the client holds as well, in parts of
   * {@link #TREETOP_PARTS}; 0 unless set. Not of the leaves.
   */
  public final int treetopPart() {
    return shape.treetopPart();
  }

  /** K, the most paths that one eviction chunk reads and writes. */
  public final int chunkPaths() {
    return shape.chunkPaths();
  }

  /** W, blocks of a tree that may wait for their eviction. */
  public final int windowBlocks() {
    return shape.windowBlocks();
  }

  /** The most blocks of a tree that its treetop cannot take, before accesses are refused. */
  public final int stashLimitBlocks() {
    return shape.stashLimitBlocks();
  }

  /**
   * The most bytes of buckets, of each layout, that wait between the store and the threads that
   * open and seal them; threads that it has no room for stay idle. 0 for as much as they have use
   * for, some 8 MB.
   */
  public final long ringBytes() {
    return shape.ringBytes();
  }

  /**
   * ρ, the public write share: what part of the blocks that accesses could have written the trees
   * of other size classes owe evictions for. 1 unless set.
   */
  public final double writeShare() {
    return (double) writeShareParts() / WRITE_SHARE_PARTS;
  }

  /** ρ in parts of {@link #WRITE_SHARE_PARTS}: 1 to that. */
  public int writeShareParts() {
    return WRITE_SHARE_PARTS;
  }

  /**
   * Whether the store may know which accesses read and which write (rORAM, §VIII-C); false unless
   * set.
   */
  public boolean revealsOperationType() {
    return false;
  }

  /**
   * The most blocks that a tree holds in client memory beyond those that evictions are owed for.
   * With a share below 1 those written beyond it, before evictions for all of them are owed at
   * once: 4W, at least 4L. With the operation type revealed single blocks written until it is the
   * tree's turn: one for each other tree. Else 0.
   */
  public final int backlogBlocks() {
    if (writeShareParts() == WRITE_SHARE_PARTS) {
      return revealsOperationType() ? trees().length - 1 : 0;
    }
    return (int) Math.min(1 << 24, 4L * Math.max(windowBlocks(), maxRangeBlocks()));
  }

  /** Whether every tree owes 2·2^i evictions for an access of class i, as in the paper (§V). */
  public final boolean fullDebt() {
    return preset() == Preset.PAPER;
  }

  /** Where the labels are kept; local for classic Path ORAM, which has a setting of its own. */
  public MapForm mapForm() {
    return MapForm.LOCAL;
  }

  @Override
  public final boolean hasMapInFile() {
    return mapForm().isInFile();
  }

  /** Whether the paths that are written are those of blocks that were read, and so are random. */
  boolean writesRandomPaths() {
    return false;
  }

  /** Whether the position map lives in smaller ORAMs on the store (scheme path only). */
  public boolean recursivePositionMap() {
    return false;
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof TreeParameters that
        && scheme().equals(that.scheme())
        && shape.equals(that.shape)
        && Arrays.equals(sizeClasses(), that.sizeClasses())
        && Arrays.equals(trees(), that.trees())
        && writeShareParts() == that.writeShareParts()
        && revealsOperationType() == that.revealsOperationType()
        && mapForm().equals(that.mapForm())
        && recursivePositionMap() == that.recursivePositionMap();
  }

  @Override
  public final int hashCode() {
    return Objects.hash(scheme(), shape, Arrays.hashCode(sizeClasses()), Arrays.hashCode(trees()));
  }

  @Override
  public final String toString() {
    return settings().toString();
  }
}
