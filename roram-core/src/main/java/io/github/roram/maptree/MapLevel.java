package io.github.roram.maptree;

import io.github.roram.tree.TreeGeometry;
import java.util.List;

/**
 * One tree of a recursive position map.
 *
 * @param geometry its shape; a block of it is a map block
 * @param exponent g: the labels in a map block are of 2^g consecutive blocks of data
 * @param mapped the trees whose labels it holds, in their order in a map block
 * @param chunkPaths K: the most paths that it evicts at once
 */
record MapLevel(TreeGeometry geometry, int exponent, List<Mapped> mapped, int chunkPaths) {

  /** Bytes of a label; it is stored plus one, so that 0 means that none was given yet. */
  static final int LABEL_BYTES = 4;

  /**
   * A tree whose labels are in a level of the map.
   *
   * @param tree its number
   * @param exponent t: one of its labels is of 2^t consecutive blocks of data; at most g
   * @param firstEntry where its labels begin in a map block
   */
  record Mapped(int tree, int exponent, int firstEntry) {}

  /** Number of the tree in its store. */
  int tree() {
    return geometry.tree();
  }

  /** Labels in a map block. */
  int entries() {
    Mapped last = mapped.get(mapped.size() - 1);
    return last.firstEntry() + labels(last);
  }

  /** Labels of a tree in each map block. */
  int labels(Mapped of) {
    return 1 << (exponent - of.exponent());
  }

  /** Bytes of a map block. */
  int blockBytes() {
    return entries() * LABEL_BYTES;
  }

  /** How many map blocks a read of so many consecutive ranges of 2^t blocks can touch. */
  int runs(int rangeExponent, int ranges) {
    if (rangeExponent >= exponent) {
      return Math.multiplyExact(ranges, 1 << (rangeExponent - exponent));
    }
    long group = 1L << exponent;
    long beyondFirst = (long) (ranges - 1) << rangeExponent;
    return Math.toIntExact((beyondFirst + group - 1) / group + 1);
  }

  /** The map blocks that a read looks up: −1 for those beyond the last. */
  int[] blocks(int rangeExponent, int firstRange, int ranges) {
    long first = ((long) firstRange << rangeExponent) >>> exponent;
    int[] blocks = new int[runs(rangeExponent, ranges)];
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] = first + i < geometry.blocks() ? (int) (first + i) : -1;
    }
    return blocks;
  }
}
