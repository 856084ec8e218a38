package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

/**
 * What each cell of a store can hold, after accesses one after another of which some failed: a
 * write that failed was done or not. Since accesses that overlap are in the order of their calls,
 * this is all that a history of them may show.
 */
final class CellModel {

  /** The values that each cell may have. */
  private final List<List<Byte>> cells = new ArrayList<>();

  CellModel(int count) {
    for (int cell = 0; cell < count; cell++) {
      cells.add(List.of((byte) 0));
    }
  }

  /** A write of consecutive cells ended. */
  void wrote(int first, int count, byte value, boolean succeeded) {
    for (int cell = first; cell < first + count; cell++) {
      List<Byte> values = new ArrayList<>();
      values.add(value);
      if (!succeeded) {
        values.addAll(cells.get(cell));
      }
      cells.set(cell, values);
    }
  }

  /** A read of a cell succeeded. */
  void read(int cell, byte found) {
    assertThat(cells.get(cell)).as("cell %d", cell).contains(found);
    cells.set(cell, List.of(found));
  }
}
