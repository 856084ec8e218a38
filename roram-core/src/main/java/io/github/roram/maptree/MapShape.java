package io.github.roram.maptree;

import com.carrotsearch.hppc.IntArrayList;
import io.github.roram.OramConfig;
import io.github.roram.journal.ReplayCheck;
import io.github.roram.parameters.Exponents;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.tree.TreeGeometry;
import io.github.roram.tree.TreeGeometry.AddedLevels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The trees of a recursive position map, from the one that holds labels of single blocks to the one
 * whose own labels the client holds.
 *
 * <p>All trees of data share one map: a map block of the lowest level holds the labels that G
 * consecutive blocks have in every tree whose ranges are not longer than G. The next level holds
 * the labels of G such map blocks, and those of the trees with ranges up to G² blocks, and so on.
 * So one look-up serves an access whatever the number of trees, and blocks carry no labels of other
 * trees, unlike the tags in each block of rORAM (§IV-D). Since Σ G/2^t is below 2G, a map block has
 * G to 2G labels.
 *
 * <p>Map blocks are small, 256 to 512 bytes with G = 64: the bytes that a look-up moves are about
 * proportional to the size of a map block, while larger blocks save a level of recursion only where
 * N grows by the same factor (construction, section 4.2).
 */
public final class MapShape {

  /** The most paths that a tree of the map evicts at once; their blocks wait in client memory. */
  private static final int MOST_CHUNK_PATHS = 32;

  private final List<Level> levels = new ArrayList<>();

  /** Tells which levels the trees of a map got by growing. */
  @FunctionalInterface
  public interface Growth {

    /** Returns the added levels of a tree, given its number and present height. */
    AddedLevels added(int tree, int height);
  }

  private MapShape(OramConfig config, int trees, Growth growth) {
    for (int level = 0; level < trees; level++) {
      levels.add(newLevel(config, level, growth));
    }
  }

  /** Returns the map of a new store with a recursive map, with as few trees as possible. */
  public static MapShape of(OramConfig config) {
    int trees = 1;
    while (blocks(config, trees - 1) > TreeParameters.of(config).mapForm().clientLabels()) {
      trees++;
    }
    return of(config, trees, (tree, height) -> AddedLevels.NONE);
  }

  /**
   * Returns the map of a store that may have grown. The number of trees stays, and the client holds
   * the labels of the uppermost map blocks, however many there are now.
   *
   * @param trees number of trees
   */
  public static MapShape of(OramConfig config, int trees, Growth growth) {
    return new MapShape(config, trees, growth);
  }

  private static int exponent(OramConfig config, int level) {
    int blocksPerMapBlock = TreeParameters.of(config).mapForm().blocksPerMapBlock();
    return (level + 1) * Integer.numberOfTrailingZeros(blocksPerMapBlock);
  }

  private static long blocks(OramConfig config, int level) {
    return ((config.blocks() - 1) >>> exponent(config, level)) + 1;
  }

  /**
   * Returns the height of a tree of the map for the configured blocks of data, the lowest first.
   */
  public static int height(OramConfig config, int level) {
    int blocksPerLeaf = TreeParameters.of(config).blocksPerLeaf();
    return Exponents.ceilLog2((blocks(config, level) - 1) / blocksPerLeaf + 1);
  }

  private Level newLevel(OramConfig config, int level, Growth growth) {
    TreeParameters parameters = TreeParameters.of(config);
    int below = exponent(config, level - 1);
    int exponent = exponent(config, level);
    int[] trees = parameters.trees();
    int number = trees.length + level;
    List<Level.Mapped> mapped = new ArrayList<>();
    int entries = 0;
    for (int tree = 0; tree < trees.length; tree++) {
      boolean lowest = level == 0;
      if ((trees[tree] > below || lowest) && trees[tree] <= exponent) {
        mapped.add(new Level.Mapped(tree, trees[tree], entries));
        entries += 1 << (exponent - trees[tree]);
      }
    }
    if (level > 0) {
      mapped.add(new Level.Mapped(number - 1, below, entries));
    }
    int height = height(config, level);
    AddedLevels added = growth.added(number, height);
    int slots = parameters.bucketSlots();
    TreeGeometry geometry =
        new TreeGeometry(number, 0, blocks(config, level), height, 0, 0, slots, 0, added);
    // The same as at creation, because the store has no slack for more.
    int chunk = Math.min(1 << geometry.firstHeight(), MOST_CHUNK_PATHS);
    chunk = Math.min(chunk, parameters.chunkPaths());
    return new Level(geometry, exponent, mapped, chunk);
  }

  /** Returns the number of trees of the map. */
  public int levels() {
    return levels.size();
  }

  /** Returns a tree of the map, the lowest first. */
  Level level(int level) {
    return levels.get(level);
  }

  /** Returns whether no tree of the map contains a tree's labels, so that the client holds them. */
  public boolean isOnClient(int tree) {
    return levels.stream()
        .flatMap(level -> level.mapped().stream())
        .noneMatch(mapped -> mapped.tree() == tree);
  }

  /** Returns the shape of a tree of the map, the lowest first. */
  public TreeGeometry geometry(int level) {
    return levels.get(level).geometry();
  }

  /** Returns the bytes of a block of a tree of the map, the lowest first. */
  public int blockBytes(int level) {
    return levels.get(level).blockBytes();
  }

  /** Returns the most paths that a tree of the map evicts at once, the lowest first. */
  public int chunkPaths(int level) {
    return levels.get(level).chunkPaths();
  }

  /**
   * Returns how many map blocks an access to consecutive ranges looks up in a tree of the map. The
   * number does not depend on where the ranges lie.
   */
  public int runs(int level, int rangeExponent, int ranges) {
    return levels.get(level).runs(rangeExponent, ranges);
  }

  /**
   * One tree of a recursive position map.
   *
   * @param geometry shape of the tree, whose blocks are map blocks
   * @param exponent g: a map block has the labels of 2^g consecutive blocks of data
   * @param mapped the trees whose labels are in a map block, in their order there
   * @param chunkPaths K: the most paths that the tree evicts at once
   */
  record Level(TreeGeometry geometry, int exponent, List<Mapped> mapped, int chunkPaths) {

    /** Bytes of a label: see {@link MappedLabels#entry}. */
    static final int LABEL_BYTES = 4;

    /**
     * A tree whose labels are in a level of the map.
     *
     * @param tree number of the tree
     * @param exponent t: each label stands for 2^t consecutive blocks of data; at most g
     * @param firstEntry where its labels begin in a map block
     */
    record Mapped(int tree, int exponent, int firstEntry) {}

    /** Returns the number of the tree in its store. */
    int tree() {
      return geometry.tree();
    }

    /** Returns the number of labels in a map block. */
    int entries() {
      Mapped last = mapped.get(mapped.size() - 1);
      return last.firstEntry() + labels(last);
    }

    /** Returns the number of labels that a map block has of a tree. */
    int labels(Mapped of) {
      return 1 << (exponent - of.exponent());
    }

    /** Returns the bytes of a map block. */
    int blockBytes() {
      return entries() * LABEL_BYTES;
    }

    /** Returns how many map blocks {@code ranges} consecutive ranges of 2^t blocks can touch. */
    int runs(int rangeExponent, int ranges) {
      if (rangeExponent >= exponent) {
        return Math.multiplyExact(ranges, 1 << (rangeExponent - exponent));
      }
      long group = 1L << exponent;
      long beyondFirst = (long) (ranges - 1) << rangeExponent;
      return Math.toIntExact((beyondFirst + group - 1) / group + 1);
    }

    /** Returns the most scattered ranges that the look-up for {@code ranges} ranges covers. */
    int scattered(int rangeExponent, int ranges) {
      int blocksOfRange = 1 << Math.max(0, rangeExponent - exponent);
      return runs(rangeExponent, ranges) / blocksOfRange;
    }

    /**
     * Returns the map blocks that a read looks up; −1 beyond the last map block, and beyond those
     * that scattered ranges need.
     *
     * @param ranges consecutive or {@link #scattered} ranges, padded with −1
     */
    int[] blocks(int rangeExponent, int[] ranges) {
      int[] blocks = new int[runs(rangeExponent, ranges.length)];
      if (!areConsecutive(ranges)) {
        return ofScattered(rangeExponent, ranges, blocks);
      }
      long first = ((long) ranges[0] << rangeExponent) >>> exponent;
      for (int i = 0; i < blocks.length; i++) {
        blocks[i] = first + i < geometry.blocks() ? (int) (first + i) : -1;
      }
      return blocks;
    }

    private static boolean areConsecutive(int[] ranges) {
      for (int i = 1; i < ranges.length; i++) {
        if (ranges[i] >= 0 && ranges[i] != ranges[0] + i) {
          return false;
        }
      }
      return true;
    }

    private int[] ofScattered(int rangeExponent, int[] ranges, int[] blocks) {
      IntArrayList found = new IntArrayList();
      for (int range : ranges) {
        long first = ((long) range << rangeExponent) >>> exponent;
        for (int i = 0; range >= 0 && i < 1 << Math.max(0, rangeExponent - exponent); i++) {
          if (first + i < geometry.blocks() && !found.contains((int) (first + i))) {
            found.add((int) (first + i));
          }
        }
      }
      if (found.size() > blocks.length) {
        throw ReplayCheck.refused("reads more ranges than an access looks up");
      }
      Arrays.fill(blocks, -1);
      System.arraycopy(found.toArray(), 0, blocks, 0, found.size());
      return blocks;
    }
  }
}
