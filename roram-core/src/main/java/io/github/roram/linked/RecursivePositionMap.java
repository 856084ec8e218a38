package io.github.roram.linked;

import io.github.roram.audit.TreeAudit;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.cipher.LabelPrf;
import io.github.roram.posmap.LocalPositionMap;
import io.github.roram.posmap.PositionMap;
import io.github.roram.tree.TreeGeometry;
import java.io.IOException;
import java.util.List;

/**
 * A position map that is stored in a smaller Path ORAM, whose own map is stored in a smaller one,
 * and so on (Path ORAM, section 4). A block holds {@code blockBytes / 4} labels: for 2^22 blocks of
 * 4 KB two such ORAMs, and four labels for the client. One access of each serves a look-up and its
 * update, of all labels that stand in the same block.
 */
final class RecursivePositionMap implements PositionMap {

  /** Bytes of a label; it is stored plus one, so that 0 means that none was given yet. */
  static final int LABEL_BYTES = 4;

  private static final int[] NONE = {};

  private final TreeAccesses tree;
  private final LabelPrf prf;
  private final TreeGeometry mapped;
  private final int labelsPerBlock;

  /** What the labels of the call at hand were, plus one; empty between calls. */
  private int[] previous = NONE;

  /** How many labels of the call at hand are replaced. */
  private int replaced;

  /**
   * A map.
   *
   * @param tree where the labels are kept
   * @param mapped the tree whose labels these are
   * @param labelsPerBlock how many labels a block of the tree holds
   */
  RecursivePositionMap(TreeAccesses tree, LabelPrf prf, TreeGeometry mapped, int labelsPerBlock) {
    this.tree = tree;
    this.prf = prf;
    this.mapped = mapped;
    this.labelsPerBlock = labelsPerBlock;
  }

  @Override
  public int[] exchange(int first, int[] freshLabels) throws IOException {
    if (previous.length == 0) {
      previous = new int[freshLabels.length];
    } else if (replaced > 0) {
      // The last call changed labels and then failed: what they replaced is known.
      tree.completePending();
    }
    while (replaced < freshLabels.length) {
      tree.access(
          (first + replaced) / labelsPerBlock,
          true,
          (array, offset) -> replace(first, freshLabels, array, offset));
    }
    int[] old = new int[previous.length];
    for (int i = 0; i < old.length; i++) {
      int label = previous[i];
      old[i] = label != 0 ? label - 1 : prf.label(mapped.tree(), first + i, mapped.leaves());
    }
    // Only now: a call that fails before is made again, and finds what it replaced.
    previous = NONE;
    replaced = 0;
    return old;
  }

  /** Replaces the labels that stand in the block of the next one. */
  private void replace(int first, int[] freshLabels, byte[] array, int offset) {
    int block = (first + replaced) / labelsPerBlock;
    while (replaced < freshLabels.length && (first + replaced) / labelsPerBlock == block) {
      int place = offset + (first + replaced) % labelsPerBlock * LABEL_BYTES;
      previous[replaced] = PlainBucket.getInt(array, place);
      PlainBucket.setInt(array, place, freshLabels[replaced] + 1);
      replaced++;
    }
  }

  /**
   * Stands in for it where blocks hold no data: the labels are with the client, and the tree is
   * accessed just as if they were in it.
   */
  static final class Pattern implements PositionMap {

    private final TreeAccesses tree;
    private final LocalPositionMap labels;
    private final int labelsPerBlock;

    Pattern(TreeAccesses tree, LocalPositionMap labels, int labelsPerBlock) {
      this.tree = tree;
      this.labels = labels;
      this.labelsPerBlock = labelsPerBlock;
    }

    @Override
    public int[] exchange(int first, int[] freshLabels) throws IOException {
      int last = (first + freshLabels.length - 1) / labelsPerBlock;
      for (int block = first / labelsPerBlock; block <= last; block++) {
        tree.access(block, true, (array, offset) -> {});
      }
      return labels.exchange(first, freshLabels);
    }
  }

  /**
   * All labels of a recursive position map: the client's, and those gathered from the trees that
   * hold the map.
   */
  static final class AllLabels implements TreeAudit.LabelReading {

    private final LinkedTree last;
    private final LabelPrf firstLabels;
    private final int labelsPerBlock;

    /** Labels plus one of the blocks of each tree but the last; 0 where none was given. */
    private final int[][] labels;

    /** None gathered. */
    AllLabels(List<LinkedTree> trees, LabelPrf firstLabels) {
      this.firstLabels = firstLabels;
      last = trees.get(trees.size() - 1);
      labelsPerBlock = last.descriptor().blockBytes() / LABEL_BYTES;
      labels = new int[trees.size() - 1][];
      for (int tree = 0; tree < labels.length; tree++) {
        labels[tree] = new int[(int) trees.get(tree).geometry().blocks()];
      }
    }

    @Override
    public void take(int mapTree, int block, byte[] array, int offset) {
      int[] mapped = labels[mapTree - 1];
      int first = block * labelsPerBlock;
      for (int i = 0; i < labelsPerBlock && first + i < mapped.length; i++) {
        mapped[first + i] = PlainBucket.getInt(array, offset + i * LABEL_BYTES);
      }
    }

    @Override
    public int label(TreeGeometry geometry, int address) {
      int tree = geometry.tree();
      if (tree == labels.length) {
        return last.label(address);
      }
      return labels[tree][address] != 0
          ? labels[tree][address] - 1
          : firstLabels.label(tree, address, geometry.leaves());
    }
  }
}
