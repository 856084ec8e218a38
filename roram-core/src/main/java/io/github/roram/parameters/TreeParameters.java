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

  /** The number of equal parts in which the write share is measured. */
  public static final int WRITE_SHARE_PARTS = 1 << 15;

  /** Default client memory for the treetops of all trees together, in bytes. */
  public static final long DEFAULT_TREETOP_BYTES = 64L << 20;

  /** The number of equal parts of a level in which a treetop is measured. */
  public static final int TREETOP_PARTS = 16;

  /** Parameters that may differ at each opening. */
  public static final Set<String> OPENING_NAMES = Set.of("stashLimitBlocks", "ringBytes");

  private final TreeShape shape;

  TreeParameters(TreeShape shape) {
    this.shape = shape;
  }

  /**
   * Returns the parameters of a configuration.
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

  /** Adds the parameters that only this scheme has. */
  abstract void addOwnTo(Map<String, String> settings);

  @Override
  public final Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    shape.addTo(settings);
    addOwnTo(settings);
    return settings;
  }

  /** Returns the source of the parameters that were not given. */
  public final Preset preset() {
    return shape.preset();
  }

  @Override
  public final int maxRangeBlocks() {
    return shape.maxRangeBlocks();
  }

  /** Returns the exponents i of the size classes, increasing from 0; {0} unless rORAM. */
  public int[] sizeClasses() {
    return new int[] {0};
  }

  /**
   * Returns the exponents t of the trees, increasing from 0. A class uses the tree of the longest
   * ranges that are not longer than its own.
   */
  public int[] trees() {
    return new int[] {0};
  }

  /** Returns whether every size class has a tree, and there are no other trees. */
  public final boolean hasTreeForEachClass() {
    return Arrays.equals(trees(), sizeClasses());
  }

  /** Returns Z, the block slots in a bucket. */
  public final int bucketSlots() {
    return shape.bucketSlots();
  }

  /** Returns A, the blocks inserted for each path eviction: a multiple of 1/2. */
  public final double evictionRate() {
    return evictionHalfBlocks() / 2.0;
  }

  /** Returns 2A, the half blocks inserted for each path eviction. */
  public final int evictionHalfBlocks() {
    return shape.evictionHalfBlocks();
  }

  /** Returns the blocks inserted for {@code paths} path evictions, rounded up. */
  public final int blocksEvictedBy(int paths) {
    return TreeShape.blocks(evictionHalfBlocks(), paths);
  }

  /** Returns N divided by the number of leaves, before rounding up. */
  public final int blocksPerLeaf() {
    return shape.blocksPerLeaf();
  }

  /** Returns the leaves of a tree of N blocks: a power of two. */
  public final int leaves() {
    return shape.leaves();
  }

  /** Returns the bytes of client memory for the top levels of all trees together. */
  public final long treetopBytes() {
    return shape.treetopBytes();
  }

  /**
   * Returns which part of the level below the treetop's whole levels the client also holds, in
   * parts of {@link #TREETOP_PARTS}; 0 unless set. Never a part of the leaves.
   */
  public final int treetopPart() {
    return shape.treetopPart();
  }

  /** Returns K, the most paths that one eviction chunk reads and writes. */
  public final int chunkPaths() {
    return shape.chunkPaths();
  }

  /** Returns W, the blocks of a tree that may wait for their eviction. */
  public final int windowBlocks() {
    return shape.windowBlocks();
  }

  /** Returns the most blocks of a tree beyond its treetop, above which accesses are refused. */
  public final int stashLimitBlocks() {
    return shape.stashLimitBlocks();
  }

  /**
   * Returns the most bytes of buckets, of each layout, that wait between the store and the threads
   * that open and seal them; threads without room stay idle. 0 stands for as much as the threads
   * can use, some 8 MB.
   */
  public final long ringBytes() {
    return shape.ringBytes();
  }

  /**
   * Returns ρ, the public write share: the part of the blocks that accesses could have written for
   * which trees of other size classes owe evictions. 1 unless set.
   */
  public final double writeShare() {
    return (double) writeShareParts() / WRITE_SHARE_PARTS;
  }

  /** Returns ρ in units of 1/{@link #WRITE_SHARE_PARTS}: 1 to {@link #WRITE_SHARE_PARTS}. */
  public int writeShareParts() {
    return WRITE_SHARE_PARTS;
  }

  /**
   * Returns whether the store may see which accesses read and which write (rORAM, §VIII-C); false
   * unless set.
   */
  public boolean revealsOperationType() {
    return false;
  }

  /**
   * Returns the most blocks that a tree holds in client memory beyond those for which it owes
   * evictions. With a share below 1 these are blocks written beyond the share, before evictions for
   * all of them are owed at once: 4W, at least 4L. With the operation type revealed they are single
   * blocks that were written before the tree's turn: one for each other tree. Otherwise 0.
   */
  public final int backlogBlocks() {
    if (writeShareParts() == WRITE_SHARE_PARTS) {
      return revealsOperationType() ? trees().length - 1 : 0;
    }
    return (int) Math.min(1 << 24, 4L * Math.max(windowBlocks(), maxRangeBlocks()));
  }

  /** Returns whether every tree owes 2·2^i evictions for an access of class i (rORAM, §V). */
  public final boolean fullDebt() {
    return preset() == Preset.PAPER;
  }

  /** Returns where labels are kept; local for classic Path ORAM, which has its own setting. */
  public MapForm mapForm() {
    return MapForm.LOCAL;
  }

  @Override
  public final boolean hasMapInFile() {
    return mapForm().isInFile();
  }

  /** Returns whether the scheme writes back the paths that it reads, which are random. */
  boolean writesRandomPaths() {
    return false;
  }

  /** Returns whether the position map is in smaller ORAMs on the store (scheme path only). */
  public boolean recursivePositionMap() {
    return false;
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof TreeParameters that
        && scheme().equals(that.scheme())
        && shape.equals(that.shape)
        && settings().equals(that.settings());
  }

  @Override
  public final int hashCode() {
    return Objects.hash(scheme(), shape);
  }

  @Override
  public final String toString() {
    return settings().toString();
  }
}
