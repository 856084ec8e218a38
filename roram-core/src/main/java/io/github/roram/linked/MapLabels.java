package io.github.roram.linked;

import io.github.roram.audit.LabelReading;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.cipher.LabelPrf;
import io.github.roram.tree.TreeGeometry;
import java.util.List;

/**
 * All labels of a recursive position map: the client's, and those gathered from the trees that hold
 * the map.
 */
final class MapLabels implements LabelReading {

  private final LinkedTree last;
  private final LabelPrf firstLabels;
  private final int labelsPerBlock;

  /** Labels plus one of the blocks of each tree but the last; 0 where none was given. */
  private final int[][] labels;

  /** None gathered. */
  MapLabels(List<LinkedTree> trees, LabelPrf firstLabels) {
    this.firstLabels = firstLabels;
    last = trees.get(trees.size() - 1);
    labelsPerBlock = last.descriptor().blockBytes() / RecursivePositionMap.LABEL_BYTES;
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
      mapped[first + i] = PlainBucket.getInt(array, offset + i * RecursivePositionMap.LABEL_BYTES);
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
