package io.github.roram.path;

import io.github.roram.posmap.LocalPositionMap;
import io.github.roram.posmap.PositionMap;
import java.io.IOException;

/**
 * Stands in for {@link RecursivePositionMap} where blocks hold no data: the labels are with the
 * client, and the tree is accessed just as if they were in it.
 */
final class PatternPositionMap implements PositionMap {

  private final PathTree tree;
  private final LocalPositionMap labels;
  private final int labelsPerBlock;

  PatternPositionMap(PathTree tree, LocalPositionMap labels, int labelsPerBlock) {
    this.tree = tree;
    this.labels = labels;
    this.labelsPerBlock = labelsPerBlock;
  }

  @Override
  public int[] exchange(int first, int[] freshLabels) throws IOException {
    int last = (first + freshLabels.length - 1) / labelsPerBlock;
    for (int block = first / labelsPerBlock; block <= last; block++) {
      tree.access(block, (array, offset) -> {});
    }
    return labels.exchange(first, freshLabels);
  }
}
