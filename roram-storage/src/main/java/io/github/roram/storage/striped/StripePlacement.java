package io.github.roram.storage.striped;

import io.github.roram.store.StoreParts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which stripe has a byte (rORAM, §VIII-A): neighbouring levels of a tree are on different stripes,
 * so that a request that meets all levels keeps all stripes busy, and the lowest levels of the
 * trees, half of their bytes, are on different ones, too. What comes before all parts is on the
 * first stripe. Or the first stripe has the top levels of all trees and the others share the rest:
 * then it is the client's own disk, say, and the others are far.
 *
 * <p>Follows from the layout and the number of stripes alone. Immutable.
 */
public final class StripePlacement {

  private final StoreParts parts;
  private final int count;

  /** Where the parts begin that the first stripe has by itself; null if it is like the others. */
  private final @Nullable Set<Long> top;

  private final long[] starts;
  private final int[] stripes;

  private record Part(long start, int stripe) {}

  /** Places everything on the first stripe while the layout is unknown. */
  StripePlacement() {
    this(new StoreParts(List.of()), 1);
  }

  /**
   * Distributes levels, lowest first: level j of n of tree g is on stripe n − 1 − j + g, modulo the
   * number of stripes.
   *
   * @param count number of stripes
   */
  public StripePlacement(StoreParts parts, int count) {
    this(parts, count, null);
  }

  private StripePlacement(StoreParts parts, int count, @Nullable Set<Long> top) {
    this.parts = parts;
    this.count = count;
    this.top = top;
    List<Part> placed = new ArrayList<>();
    for (int tree = 0; tree < parts.trees().size(); tree++) {
      List<Long> levels = parts.trees().get(tree);
      for (int level = 0; level < levels.size(); level++) {
        placed.add(new Part(levels.get(level), stripe(tree, level)));
      }
    }
    placed.sort(Comparator.comparingLong(Part::start));
    starts = placed.stream().mapToLong(Part::start).toArray();
    stripes = placed.stream().mapToInt(Part::stripe).toArray();
  }

  /**
   * Distributes levels, but gives the first stripe the levels next to the roots, of all trees
   * alike, as many as fit. The other stripes share the rest.
   *
   * @param count number of stripes, at least 2
   * @param topBytes most bytes of the levels on the first stripe; 0 if it is like the others
   * @param capacityBytes end of the store
   */
  public static StripePlacement withTop(
      StoreParts parts, int count, long topBytes, long capacityBytes) {
    if (topBytes == 0) {
      return new StripePlacement(parts, count);
    }
    Set<Long> top = new HashSet<>();
    long left = topBytes;
    for (StoreParts.Part part : parts.inOrder(capacityBytes)) {
      left -= part.bytes();
      if (left < 0) {
        break;
      }
      top.add(part.offset());
    }
    return new StripePlacement(parts, count, top);
  }

  private int stripe(int tree, int level) {
    List<Long> levels = parts.trees().get(tree);
    int fromLowest = levels.size() - 1 - level + tree;
    if (top == null) {
      return fromLowest % count;
    }
    return top.contains(levels.get(level)) ? 0 : 1 + fromLowest % (count - 1);
  }

  /** Returns whether the first stripe should have levels of its own, but none fits. */
  boolean lacksTop() {
    return top != null && top.isEmpty();
  }

  /**
   * Returns the parts on a stripe, most frequently read first.
   *
   * @param shiftBytes added to the offset of a byte on the stripe
   */
  StoreParts on(int stripe, int shiftBytes) {
    List<List<Long>> trees = new ArrayList<>();
    List<Long> unused = new ArrayList<>();
    for (int tree = 0; tree < parts.trees().size(); tree++) {
      List<Long> levels = new ArrayList<>();
      for (int level = 0; level < parts.trees().get(tree).size(); level++) {
        long start = parts.trees().get(tree).get(level) + shiftBytes;
        (stripe(tree, level) == stripe ? levels : unused).add(start);
      }
      trees.add(levels);
    }
    return new StoreParts(trees, unused);
  }

  /** Returns the number of the part that contains a byte; −1 before the first part. */
  private int part(long offset) {
    int found = Arrays.binarySearch(starts, offset);
    return found >= 0 ? found : -found - 2;
  }

  /** Returns the stripe that has a byte. */
  public int stripe(long offset) {
    int part = part(offset);
    return part < 0 ? 0 : stripes[part];
  }

  /** Returns the end of the part that contains a byte. */
  public long end(long offset) {
    int next = part(offset) + 1;
    return next < starts.length ? starts[next] : Long.MAX_VALUE;
  }
}
