package io.github.roram.tree;

import io.github.roram.OramConfig;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.parameters.TreetopBudget;
import io.github.roram.posmap.RangeLabels;
import io.github.roram.stash.Treetop;

/**
 * The shape of one tree.
 *
 * <p>Labels are leaf numbers in bit-reversed order: the path of label p meets level j in bucket
 * {@code p mod 2^j} (rORAM, §IV-B; construction, section 1).
 *
 * @param tree number of the tree in its store, 0 … 65535
 * @param rangeExponent i: the tree is read in aligned ranges of 2^i blocks
 * @param blocks N
 * @param height h: leaves 0 … 2^h − 1, levels 0 … h
 * @param treetopLevels m: levels 0 … m − 1 are held by the client, 0 ≤ m ≤ h
 * @param treetopPart buckets 0 … of level m that the client holds as well, fewer than all; none of
 *     the leaves
 * @param slots Z
 * @param treetopBlocks the most blocks that the levels of the treetop are meant to hold; what is
 *     beyond is the stash
 * @param added the lowest of the levels, if they were added later
 */
public record TreeGeometry(
    int tree,
    int rangeExponent,
    long blocks,
    int height,
    int treetopLevels,
    int treetopPart,
    int slots,
    int treetopBlocks,
    AddedLevels added) {

  /** Checks the bounds. */
  public TreeGeometry {
    if (height < 0 || height > 30 || treetopLevels < 0 || treetopLevels > height - added.count()) {
      throw new IllegalArgumentException(
          "height "
              + height
              + ", treetop levels "
              + treetopLevels
              + ", added levels "
              + added.count());
    }
    boolean hasPart = treetopLevels < height - added.count();
    if (treetopPart < 0 || treetopPart >= (hasPart ? 1 << treetopLevels : 1)) {
      throw new IllegalArgumentException("treetop part " + treetopPart);
    }
  }

  /** Creates a tree whose treetop may hold as many blocks as it has slots. */
  public TreeGeometry(
      int tree, int rangeExponent, long blocks, int height, int treetopLevels, int slots) {
    this(
        tree,
        rangeExponent,
        blocks,
        height,
        treetopLevels,
        0,
        slots,
        slots * ((1 << treetopLevels) - 1),
        AddedLevels.NONE);
  }

  /** Returns the number of leaves, 2^h. */
  public int leaves() {
    return 1 << height;
  }

  /** Returns the height that the tree was created with. */
  public int firstHeight() {
    return height - added.count();
  }

  /** Returns where the counter of evictions started: 2^h of the height at first. */
  public long firstEviction() {
    return 1L << firstHeight();
  }

  /** Returns the first eviction that writes a level; the level's buckets are empty before. */
  public long since(int level) {
    int first = firstHeight();
    return level <= first ? 1L << first : added.since(level - first - 1);
  }

  /** Returns the height that the tree had when an eviction wrote. */
  int heightAt(long eviction) {
    int then = height;
    while (eviction < since(then) && then > firstHeight()) {
      then--;
    }
    return then;
  }

  /**
   * Returns the label of a range, extended from one that was assigned when the tree was lower: the
   * missing bits are those of the range's first label.
   *
   * @param label label at that time
   * @param then height of the tree at that time
   * @param first the range's {@linkplain RangeLabels#firstLabel first label}
   */
  public static int grown(int label, int then, int first) {
    return label | (first & -(1 << then));
  }

  /** Returns the same of a block, or of a copy of it. */
  int grown(RangeLabels labels, int address, int label, int then) {
    if (then == height) {
      return label;
    }
    int offset = address & (rangeBlocks() - 1);
    int ofRange = (label - offset) & ((1 << then) - 1);
    return label(grown(ofRange, then, labels.firstLabel(address >>> rangeExponent)), offset);
  }

  /** Blocks in a range, 2^i. */
  public int rangeBlocks() {
    return 1 << rangeExponent;
  }

  /** Returns the number of ranges that the blocks make, the last one perhaps not full. */
  public int ranges() {
    return (int) ((blocks + rangeBlocks() - 1) >>> rangeExponent);
  }

  /**
   * Returns the number of the bucket that a path meets at a level.
   *
   * @param path a label, or the number of an eviction
   */
  public int bucket(long path, int level) {
    return (int) (path & ((1L << level) - 1));
  }

  /**
   * Returns the first bucket on the store of a level from m on; the client holds the buckets before
   * it.
   */
  public int firstStored(int level) {
    return level == treetopLevels ? treetopPart : 0;
  }

  /** Returns the first eviction, not before this one, that meets a stored bucket of a level. */
  long nextStored(int level, long eviction) {
    return eviction + Math.max(0, firstStored(level) - bucket(eviction, level));
  }

  /**
   * Returns the first eviction after this one, which meets a stored bucket of a level, that meets
   * none.
   */
  long endOfStored(int level, long eviction) {
    return firstStored(level) == 0
        ? Long.MAX_VALUE
        : eviction + (1L << level) - bucket(eviction, level);
  }

  /** Returns what part of a level's buckets is stored. */
  public double storedShare(int level) {
    return 1 - (double) firstStored(level) / (1L << level);
  }

  /** Its treetop, without blocks. */
  public Treetop newTreetop() {
    return new Treetop(treetopLevels, treetopPart, slots);
  }

  /**
   * Returns the most buckets below the treetop that {@code paths} paths meet, wherever they are.
   */
  public long mostBuckets(long paths) {
    long buckets = 0;
    for (int level = treetopLevels; level <= height; level++) {
      buckets += Math.min(paths, 1L << level);
    }
    return buckets;
  }

  /**
   * Returns whether this many evictions in a row meet no bucket below the treetop twice: level m
   * has 2^m buckets, and evictions meet them in turn. So the last of them ask for nothing that the
   * first of them write.
   */
  public boolean areApart(int evictions) {
    return evictions <= 1 << treetopLevels;
  }

  /** Returns the label of a block: that of its range, plus its number in the range. */
  int label(RangeLabels labels, int address) {
    return label(labels.label(address >>> rangeExponent), address & (rangeBlocks() - 1));
  }

  /**
   * Returns the label of block {@code offset} of a range whose first block has label {@code first}.
   */
  public int label(int first, int offset) {
    return (first + offset) & (leaves() - 1);
  }

  /**
   * Returns the shape of a tree whose top levels, as many as fit, the client holds.
   *
   * @param tree number of the tree
   * @param rangeExponent i: it is read in ranges of 2^i blocks
   * @param blocks N, of the tree
   * @param height h, of the tree
   * @param trees number of trees that share the memory
   */
  public static TreeGeometry within(
      OramConfig config, int tree, int rangeExponent, long blocks, int height, int trees) {
    int levels = TreetopBudget.levels(config, blocks, height, trees);
    return holding(config, tree, rangeExponent, blocks, height, levels, AddedLevels.NONE);
  }

  /**
   * Returns the shape of a tree of which the client holds {@code treetopLevels} levels.
   *
   * @param treetopLevels m
   * @param added the levels that were added later
   */
  public static TreeGeometry holding(
      OramConfig config,
      int tree,
      int rangeExponent,
      long blocks,
      int height,
      int treetopLevels,
      AddedLevels added) {
    TreeParameters parameters = TreeParameters.of(config);
    boolean hasPart = treetopLevels < height - added.count();
    int part =
        hasPart ? (parameters.treetopPart() << treetopLevels) / TreeParameters.TREETOP_PARTS : 0;
    int room =
        treetopLevels == 0
            ? 0
            : TreetopBudget.load(config, blocks, height).room(treetopLevels, part);
    return new TreeGeometry(
        tree,
        rangeExponent,
        blocks,
        height,
        treetopLevels,
        part,
        parameters.bucketSlots(),
        room,
        added);
  }

  /**
   * The levels that were added to a tree since it was created, and when: level h + 1 + i, where the
   * tree had height h at first, is written by evictions from {@code since(i)} on. Before, its
   * buckets are empty (construction, section 2.6).
   */
  public static final class AddedLevels {

    /** The levels of a tree that never grew. */
    public static final AddedLevels NONE = new AddedLevels();

    private final long[] since;

    /**
     * Levels from the uppermost on.
     *
     * @param since cnt when each was added, not decreasing
     */
    public AddedLevels(long... since) {
      this.since = since.clone();
    }

    /** Returns the number of added levels. */
    int count() {
      return since.length;
    }

    /** Returns the first eviction that writes an added level. */
    long since(int index) {
      return since[index];
    }
  }
}
