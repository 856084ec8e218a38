package io.github.roram.audit;

import io.github.roram.tree.TreeGeometry;

/** Gathers the labels that the blocks of a position map hold, while its trees are checked. */
public interface LabelReading {

  /** Takes the labels out of a block of a tree of the map. */
  void take(int mapTree, int block, byte[] array, int offset);

  /** The label of a block of a tree, once the blocks of the map were taken that hold it. */
  int label(TreeGeometry geometry, int address);
}
