package io.github.roram.store;

import java.util.List;

/**
 * Where the parts of a store begin that an ORAM reads and writes side by side: the levels of each
 * of its trees. A request of a tree meets most of its levels, so a store that consists of several
 * media does well to have neighbouring levels on different ones (rORAM, §VIII-A).
 *
 * @param trees for each tree the offsets of its parts in bytes, in ascending order; a part ends
 *     where any other begins. What comes before all parts belongs to none
 */
public record StoreParts(List<List<Long>> trees) {

  /** Copies the lists. */
  public StoreParts {
    trees = trees.stream().map(List::copyOf).toList();
  }
}
