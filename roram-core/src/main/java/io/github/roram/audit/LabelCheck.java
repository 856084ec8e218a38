package io.github.roram.audit;

import io.github.roram.maptree.MapReading;
import io.github.roram.tree.RangeTree;
import org.jspecify.annotations.Nullable;

/**
 * Compares the labels of live blocks with those that a position map on the store says, unless that
 * is damaged or there is none.
 */
final class LabelCheck {

  private final RangeTree tree;
  private final @Nullable MapReading labels;
  private final AuditLog log;

  LabelCheck(RangeTree tree, @Nullable MapReading labels, AuditLog log) {
    this.tree = tree;
    this.labels = labels;
    this.log = log;
  }

  void check(int address, int label) {
    if (labels != null && labels.label(tree.geometry(), address) != label) {
      log.misplaced(tree.geometry().tree(), address, "its label is not that of the position map");
    }
  }
}
