package io.github.roram.map;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * How full blocks and leaves become, without data. The long run makes as many operations as it is
 * told, per pattern:
 *
 * <pre>
 * mvn verify -pl roram-core/map -am -Dtest=FillTest -Dsurefire.failIfNoSpecifiedTests=false \
 *   -Droram.map.operations=1000000000
 * </pre>
 */
final class FillTest {

  private static final long OPERATIONS = Long.getLong("roram.map.operations", 2_000_000);

  /** As many entries as the map says it has room for, of which random ones are exchanged. */
  @Test
  void noBlockOfAMapWithinItsCapacityFillsUp() {
    int slots = 23;
    int blocks = 1 << 16;
    int spare = 8;
    int entries = blocks * (slots - spare);
    int[] fill = new int[blocks];
    int[] home = new int[entries];
    Random random = new Random(1);
    int worst = 0;
    for (long i = 0; i < entries + OPERATIONS; i++) {
      int entry = i < entries ? (int) i : random.nextInt(entries);
      if (i >= entries) {
        fill[home[entry]]--;
      }
      int first = random.nextInt(blocks);
      int second = random.nextInt(blocks);
      home[entry] = fill[second] < fill[first] ? second : first;
      worst = Math.max(worst, ++fill[home[entry]]);
    }
    System.out.printf(
        "hashed: %d entries in %d blocks, fullest %d of %d%n", entries, blocks, worst, slots);
    assertThat(worst).isLessThan(slots);
  }

  /** Which leaf an insert goes to. */
  enum Pattern {
    ASCENDING,
    RANDOM,
    HOT,
    ROUND_ROBIN,
    /** Raises all leaves to where none is split, and then, evenly, those that were not split. */
    STRONGEST
  }

  /** Leaves are emptied at random once there are no more; a split halves the fullest. */
  @ParameterizedTest
  @EnumSource
  void noLeafFillsUp(Pattern pattern) {
    Leaves leaves = new Leaves(1 << 14, 64);
    if (pattern == Pattern.STRONGEST) {
      leaves.useAll();
    }
    int worst = 0;
    for (long i = 0; i < OPERATIONS; i++) {
      worst = Math.max(worst, leaves.insert(pattern));
      if (i % ObliviousSortedMap.SCHEDULE == ObliviousSortedMap.SCHEDULE - 1) {
        leaves.splitFullest();
      }
    }
    System.out.printf("%s: worst fill %d of %d%n", pattern, worst, leaves.slots);
    assertThat(worst).isLessThan(leaves.slots);
  }

  /** Counts, by leaf and by fill. */
  private static final class Leaves {
    private final int slots;
    private final int[] fill;
    private final BitSet[] byFill;
    private final Random random = new Random(2);
    private int used = 1;
    private int last;
    private boolean raising = true;

    Leaves(int count, int slots) {
      this.slots = slots;
      fill = new int[count];
      byFill = new BitSet[slots + 1];
      for (int i = 0; i <= slots; i++) {
        byFill[i] = new BitSet(count);
      }
      byFill[0].set(0);
    }

    /** All there are, empty. */
    void useAll() {
      used = fill.length;
      byFill[0].set(0, used);
    }

    int insert(Pattern pattern) {
      last = pattern == Pattern.ROUND_ROBIN ? (last + 1) % used : last;
      int leaf =
          switch (pattern) {
            case ASCENDING -> last;
            case RANDOM -> random.nextInt(used);
            case HOT -> random.nextInt(Math.min(used, 8));
            case ROUND_ROBIN -> last;
            case STRONGEST -> strongest();
          };
      set(leaf, fill[leaf] + 1);
      return fill[leaf];
    }

    /** The strategy that cup games are lost by: of those not emptied yet the least full. */
    private int strongest() {
      int lowest = lowest(0, slots / 2);
      if (raising && lowest >= 0) {
        return lowest;
      }
      raising = false;
      int left = lowest(slots / 2, slots + 1);
      if (left < 0) {
        raising = true;
        return lowest;
      }
      return left;
    }

    /** A leaf that is least full, of those within bounds; −1 if there is none. */
    private int lowest(int from, int to) {
      for (int at = from; at < to; at++) {
        if (!byFill[at].isEmpty()) {
          return byFill[at].nextSetBit(0);
        }
      }
      return -1;
    }

    private int fullest() {
      int at = slots;
      while (byFill[at].isEmpty()) {
        at--;
      }
      return byFill[at].nextSetBit(0);
    }

    private void set(int leaf, int entries) {
      byFill[fill[leaf]].clear(leaf);
      fill[leaf] = entries;
      byFill[entries].set(leaf);
    }

    void splitFullest() {
      int full = fullest();
      if (fill[full] <= slots / 2) {
        return;
      }
      if (used == fill.length) {
        // The user removes a leaf's entries, so that it is joined, and free.
        int emptied = random.nextInt(used);
        if (emptied == full || fill[emptied] > slots / 2) {
          set(full, fill[full] / 2);
          return;
        }
        set(emptied, fill[full] - fill[full] / 2);
        last = emptied;
      } else {
        byFill[0].set(used);
        set(used, fill[full] - fill[full] / 2);
        last = used++;
      }
      set(full, fill[full] / 2);
    }
  }
}
