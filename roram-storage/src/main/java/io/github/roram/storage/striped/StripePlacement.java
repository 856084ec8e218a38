package io.github.roram.storage.striped;

import io.github.roram.store.StoreParts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Which stripe has a byte (rORAM, §VIII-A): neighbouring levels of a tree are on different stripes,
 * so that a request that meets all levels keeps all stripes busy, and the lowest levels of the
 * trees, half of their bytes, are on different ones, too. What comes before all parts is on the
 * first stripe.
 *
 * <p>Follows from the layout and the number of stripes alone. Immutable.
 */
public final class StripePlacement {

  private final StoreParts parts;
  private final int count;
  private final long[] starts;
  private final int[] stripes;

  private record Part(long start, int stripe) {}

  /** Everything on the first stripe, as long as nothing is known of the layout. */
  StripePlacement() {
    this(new StoreParts(List.of()), 1);
  }

  /**
   * Lowest levels first: level j of n of tree g is on stripe n − 1 − j + g, modulo their number.
   *
   * @param count number of stripes
   */
  public StripePlacement(StoreParts parts, int count) {
    this.parts = parts;
    this.count = count;
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

  private int stripe(int tree, int level) {
    return (parts.trees().get(tree).size() - 1 - level + tree) % count;
  }

  /**
   * What a stripe has of the parts, in the order in which they are read most.
   *
   * @param shiftBytes how much further behind a byte is on the stripe than in the whole
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

  /** Number of the part that has a byte, −1 before all parts. */
  private int part(long offset) {
    int found = Arrays.binarySearch(starts, offset);
    return found >= 0 ? found : -found - 2;
  }

  /** The stripe that has a byte. */
  public int stripe(long offset) {
    int part = part(offset);
    return part < 0 ? 0 : stripes[part];
  }

  /** Where the part that has a byte ends. */
  public long end(long offset) {
    int next = part(offset) + 1;
    return next < starts.length ? starts[next] : Long.MAX_VALUE;
  }
}
