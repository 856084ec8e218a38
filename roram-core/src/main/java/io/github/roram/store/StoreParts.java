package io.github.roram.store;

import java.util.List;

/**
 * Where the parts of a store begin that an ORAM reads and writes side by side: the levels of each
 * of its trees. A request of a tree meets most of its levels, so a store that consists of several
 * media does well to have neighbouring levels on different ones (rORAM, §VIII-A).
 *
 * @param trees for each tree the offsets of its parts in bytes, in ascending order; a part ends
 *     where any other begins, or bytes without use. What comes before all parts belongs to none
 * @param unused where bytes begin that are never read or written, as far as the next part
 */
public record StoreParts(List<List<Long>> trees, List<Long> unused) {

  /** Copies the lists. */
  public StoreParts {
    trees = trees.stream().map(List::copyOf).toList();
    unused = List.copyOf(unused);
  }

  /** Parts of a store that is used from the first one to its end. */
  public StoreParts(List<List<Long>> trees) {
    this(trees, List.of());
  }
}
