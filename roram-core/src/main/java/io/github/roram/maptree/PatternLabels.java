package io.github.roram.maptree;

import io.github.roram.checkpoint.StateCopy;
import io.github.roram.posmap.LocalPositionMap;
import io.github.roram.posmap.RangeLabels;
import java.io.DataInput;

/**
 * Stands in for {@link MappedLabels} where blocks hold no data: the labels are with the client, and
 * the map's trees are read just as if they were in them. They do not count as what a client holds.
 */
final class PatternLabels implements RangeLabels {

  private final LocalPositionMap labels;

  PatternLabels(LocalPositionMap labels) {
    this.labels = labels;
  }

  @Override
  public int label(int range) {
    return labels.label(range);
  }

  @Override
  public int[] exchange(int first, int[] freshLabels) {
    return labels.exchange(first, freshLabels);
  }

  @Override
  public void clear() {
    labels.clear();
  }

  @Override
  public void addTo(StateCopy state, long mostLabels) {}

  @Override
  public void readFrom(DataInput in) {}

  @Override
  public long heldBytes() {
    return 0;
  }
}
