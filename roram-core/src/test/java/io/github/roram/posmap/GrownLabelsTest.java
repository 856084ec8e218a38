package io.github.roram.posmap;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.cipher.LabelPrf;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a map's labels are once its tree has grown: what they were, and fresh bits above. */
class GrownLabelsTest {

  private static final int RANGES = 4000;
  private static final int LEAVES = 1 << 6;
  private static final int GROWN_LEAVES = 1 << 8;

  /** Seven deviations of a count of fair bits. */
  private static final double BOUND = 7 * Math.sqrt(RANGES) / 2;

  private final LabelPrf prf = new LabelPrf();

  /**
   * With every other range relabelled as if it had been read; the others have their first label.
   */
  private LocalPositionMap map() {
    LocalPositionMap map = new LocalPositionMap(prf, 3, RANGES, LEAVES);
    Random random = new Random(1);
    for (int range = 0; range < RANGES; range += 2) {
      map.exchange(range, random.nextInt(LEAVES));
    }
    return map;
  }

  private LocalPositionMap grown(LocalPositionMap map) {
    LocalPositionMap grown = new LocalPositionMap(prf, 3, 2 * RANGES, GROWN_LEAVES);
    grown.growFrom(map);
    return grown;
  }

  @Test
  void lowBitsStayAndTheOthersAreFreshAndFair() {
    LocalPositionMap map = map();
    LocalPositionMap grown = grown(map);
    LocalPositionMap again = grown(map);
    int[] ones = new int[3];
    int[] likeLowBits = new int[2];
    for (int range = 0; range < RANGES; range++) {
      int label = grown.label(range);
      assertThat(label % LEAVES).isEqualTo(map.label(range));
      assertThat(again.label(range)).isEqualTo(label);
      int fresh = label / LEAVES;
      ones[0] += fresh & 1;
      ones[1] += fresh >> 1;
      ones[2] += (fresh & 1) ^ (fresh >> 1);
      likeLowBits[0] += (fresh ^ label) & 1;
      likeLowBits[1] += ((fresh >> 1) ^ label) & 1;
    }
    for (int count : ones) {
      assertThat((double) count).isBetween(RANGES / 2 - BOUND, RANGES / 2 + BOUND);
    }
    for (int count : likeLowBits) {
      assertThat((double) count).isBetween(RANGES / 2 - BOUND, RANGES / 2 + BOUND);
    }
  }

  /** Ranges that came have labels of their own. */
  @Test
  void newRangesHaveFirstLabels() {
    LocalPositionMap grown = grown(map());
    int upper = 0;
    for (int range = RANGES; range < 2 * RANGES; range++) {
      assertThat(grown.label(range)).isEqualTo(prf.label(3, range, GROWN_LEAVES));
      upper += grown.label(range) / (GROWN_LEAVES / 2);
    }
    assertThat((double) upper).isBetween(RANGES / 2 - BOUND, RANGES / 2 + BOUND);
  }
}
