package io.github.roram.map;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import java.util.SplittableRandom;
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

  /** Which entry of a full map is exchanged for another. */
  enum Exchange {
    RANDOM,
    OLDEST,
    /** One of a few, again and again. */
    HOT,
    /** It is put again under the same key, so that its blocks stay the same. */
    SAME_AGAIN
  }

  /** As many entries as the map says it has room for, in the smallest blocks that a map has. */
  @ParameterizedTest
  @EnumSource
  void noInsertIsRefusedWithinTheCapacity(Exchange exchange) {
    int slots = 2 * ObliviousMap.SPARE_SLOTS;
    int blocks = 1 << 16;
    int entries = blocks * (slots - ObliviousMap.SPARE_SLOTS);
    int[] fill = new int[blocks];
    int[] home = new int[entries];
    int[] first = new int[entries];
    int[] second = new int[entries];
    SplittableRandom random = new SplittableRandom(1);
    int worst = 0;
    for (long i = 0; i < entries + OPERATIONS; i++) {
      int entry = i < entries ? (int) i : exchanged(exchange, entries, i, random);
      if (i >= entries) {
        fill[home[entry]]--;
      }
      if (i < entries || exchange != Exchange.SAME_AGAIN) {
        first[entry] = random.nextInt(blocks);
        second[entry] = random.nextInt(blocks);
      }
      home[entry] = fill[second[entry]] < fill[first[entry]] ? second[entry] : first[entry];
      worst = Math.max(worst, ++fill[home[entry]]);
    }
    System.out.printf(
        "hashed, %s: %d operations, %d entries in %d blocks, fullest %d of %d%n",
        exchange, OPERATIONS, entries, blocks, worst, slots);
    assertThat(worst).isLessThanOrEqualTo(slots);
  }

  private static int exchanged(Exchange exchange, int entries, long i, SplittableRandom random) {
    return switch (exchange) {
      case RANDOM, SAME_AGAIN -> random.nextInt(entries);
      case OLDEST -> (int) (i % entries);
      case HOT -> random.nextInt(1000);
    };
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
