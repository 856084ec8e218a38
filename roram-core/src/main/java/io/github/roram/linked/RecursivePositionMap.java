package io.github.roram.linked;

import io.github.roram.audit.TreeAudit;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.cipher.LabelPrf;
import io.github.roram.posmap.LocalPositionMap;
import io.github.roram.tree.TreeGeometry;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A position map that is stored in a smaller Path ORAM, whose own map is stored in a smaller one,
 * and so on (Path ORAM, section 4). A block holds {@code blockBytes / 4} labels: for 2^22 blocks of
 * 4 KB there are two such ORAMs, and four labels at the client. One access to each serves a look-up
 * and its update.
 */
final class RecursivePositionMap {

  /** Bytes of a label, which is stored plus one: 0 means that no label was given yet. */
  static final int LABEL_BYTES = 4;

  private final TreeAccesses tree;
  private final LabelPrf prf;
  private final TreeGeometry mapped;
  private final int labelsPerBlock;

  /**
   * The labels, if blocks hold no data; the tree is accessed just as if it held them. Null if the
   * tree does hold them.
   */
  private final @Nullable LocalPositionMap labels;

  /** Whether the current call has replaced its label, which was {@link #previous} − 1. */
  private boolean isReplaced;

  private int previous;

  /**
   * Creates a map.
   *
   * @param tree the accesses to the tree that keeps the labels
   * @param mapped the tree whose labels these are
   * @param labelsPerBlock labels in each block of the tree
   * @param labels keeps the labels instead of the tree, if blocks hold no data; else null
   */
  RecursivePositionMap(
      TreeAccesses tree,
      LabelPrf prf,
      TreeGeometry mapped,
      int labelsPerBlock,
      @Nullable LocalPositionMap labels) {
    this.tree = tree;
    this.prf = prf;
    this.mapped = mapped;
    this.labelsPerBlock = labelsPerBlock;
    this.labels = labels;
  }

  /**
   * Gives a block a fresh label.
   *
   * @return the label that it had
   * @throws IOException if the store failed; the call must then be repeated, with the same
   *     arguments, before any other
   */
  int exchange(int block, int freshLabel) throws IOException {
    if (isReplaced) {
      // The last call changed the label and then failed; the label that it replaced is known.
      tree.completePending();
    } else {
      tree.access(
          block / labelsPerBlock,
          true,
          (array, offset) -> replace(block, freshLabel, array, offset));
    }
    isReplaced = false;
    return previous != 0 ? previous - 1 : prf.label(mapped.tree(), block, mapped.leaves());
  }

  private void replace(int block, int freshLabel, byte[] array, int offset) {
    if (labels == null) {
      int place = offset + block % labelsPerBlock * LABEL_BYTES;
      previous = PlainBucket.getInt(array, place);
      PlainBucket.setInt(array, place, freshLabel + 1);
    } else {
      previous = labels.exchange(block, freshLabel) + 1;
    }
    isReplaced = true;
  }

  /**
   * All labels of a recursive position map: those of the client, and those gathered from the trees
   * that hold the map.
   */
  static final class AllLabels implements TreeAudit.LabelReading {

    private final LinkedTree last;
    private final LabelPrf firstLabels;
    private final int labelsPerBlock;

    /** Labels plus one of the blocks of each tree but the last; 0 where no label was given. */
    private final int[][] labels;

    /** Creates the collection, with no label gathered yet. */
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
