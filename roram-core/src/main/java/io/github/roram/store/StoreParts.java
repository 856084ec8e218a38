package io.github.roram.store;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

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

  /**
   * A part of a store.
   *
   * @param offset where it begins, in bytes
   * @param bytes its length, at least 1
   */
  public record Part(long offset, long bytes) {}

  /** Copies the lists. */
  public StoreParts {
    trees = trees.stream().map(List::copyOf).toList();
    unused = List.copyOf(unused);
  }

  /** Parts of a store that is used from the first one to its end. */
  public StoreParts(List<List<Long>> trees) {
    this(trees, List.of());
  }

  /**
   * The parts, what is read most first: level by level, and of one level tree by tree.
   *
   * @param capacityBytes where the store ends
   */
  public List<Part> inOrder(long capacityBytes) {
    TreeSet<Long> begins = new TreeSet<>(unused);
    trees.forEach(begins::addAll);
    int levels = trees.stream().mapToInt(List::size).max().orElse(0);
    List<Part> ordered = new ArrayList<>();
    for (int level = 0; level < levels; level++) {
      for (List<Long> tree : trees) {
        long begin = level < tree.size() ? tree.get(level) : capacityBytes;
        if (begin < capacityBytes) {
          Long next = begins.higher(begin);
          ordered.add(new Part(begin, (next == null ? capacityBytes : next) - begin));
        }
      }
    }
    return List.copyOf(ordered);
  }
}
