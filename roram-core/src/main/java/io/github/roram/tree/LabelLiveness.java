package io.github.roram.tree;

import io.github.roram.posmap.RangeLabels;

/**
 * By the map: a copy is current iff its label is that of its block. A fresh label is as good as
 * never the one before (and if it is, the copy nearer the root is the newer one all the same).
 */
final class LabelLiveness implements Liveness {

  private final TreeGeometry geometry;
  private final RangeLabels positions;

  LabelLiveness(TreeGeometry geometry, RangeLabels positions) {
    this.geometry = geometry;
    this.positions = positions;
  }

  @Override
  public boolean isCurrent(int address, int label) {
    return isHeldUnder(address, label);
  }

  @Override
  public boolean isHeldUnder(int address, int label) {
    return label == geometry.label(positions, address);
  }
}
