package io.github.roram.store;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The offsets of the parts of a store that an ORAM reads and writes side by side: the levels of
 * each of its trees. A request to a tree touches most of its levels, so a store of several media
 * should have adjacent levels on different ones (rORAM, §VIII-A).
 *
 * @param trees for each tree the offsets of its parts in bytes, in ascending order; a part ends
 *     where another part or unused bytes begin. Bytes before all parts belong to none
 * @param unused offsets where unused bytes begin, which reach to the next part
 */
public record StoreParts(List<List<Long>> trees, List<Long> unused) {

  /**
   * A part of a store.
   *
   * @param offset where the part begins, in bytes
   * @param bytes its length in bytes, at least 1
   */
  public record Part(long offset, long bytes) {}

  /** Copies the lists. */
  public StoreParts {
    trees = trees.stream().map(List::copyOf).toList();
    unused = List.copyOf(unused);
  }

  /** Creates the parts of a store that has no unused bytes after the first part. */
  public StoreParts(List<List<Long>> trees) {
    this(trees, List.of());
  }

  /**
   * Returns the parts in descending order of how often they are read: level by level, and tree by
   * tree within a level.
   *
   * @param capacityBytes where the store ends, in bytes
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
