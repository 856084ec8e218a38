package io.github.roram.path;

import io.github.roram.bucket.PlainBucket;
import io.github.roram.cipher.LabelPrf;
import io.github.roram.posmap.PositionMap;
import java.io.IOException;

/**
 * A position map that is stored in a smaller Path ORAM, whose own map is stored in a smaller one,
 * and so on (Path ORAM, section 4). A block holds {@code blockBytes / 4} labels: for 2^22 blocks of
 * 4 KB two such ORAMs, and four labels for the client. One access of each serves a look-up and its
 * update.
 */
final class RecursivePositionMap implements PositionMap {

  /** Bytes of a label; it is stored plus one, so that 0 means that none was given yet. */
  static final int LABEL_BYTES = 4;

  private final PathTree tree;
  private final LabelPrf prf;
  private final int mappedTree;
  private final int mappedLeaves;
  private final int labelsPerBlock;
  private int previous;
  private boolean replaced;

  /**
   * A map.
   *
   * @param tree where the labels are kept
   * @param mappedTree number of the tree whose labels these are
   * @param mappedLeaves its number of leaves
   * @param labelsPerBlock how many labels a block of the tree holds
   */
  RecursivePositionMap(
      PathTree tree, LabelPrf prf, int mappedTree, int mappedLeaves, int labelsPerBlock) {
    this.tree = tree;
    this.prf = prf;
    this.mappedTree = mappedTree;
    this.mappedLeaves = mappedLeaves;
    this.labelsPerBlock = labelsPerBlock;
  }

  @Override
  public int exchange(int range, int freshLabel) throws IOException {
    if (replaced) {
      // The last call changed the label and then failed: what it replaced is asked for again.
      tree.completePending();
    } else {
      tree.access(
          range / labelsPerBlock,
          (array, offset) -> {
            int place = offset + range % labelsPerBlock * LABEL_BYTES;
            previous = PlainBucket.getInt(array, place);
            PlainBucket.setInt(array, place, freshLabel + 1);
            replaced = true;
          });
    }
    replaced = false;
    return previous != 0 ? previous - 1 : prf.label(mappedTree, range, mappedLeaves);
  }
}
