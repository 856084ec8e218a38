package io.github.roram.posmap;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.checkpoint.StateCopy;
import io.github.roram.cipher.LabelPrf;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a map's labels are once its tree has grown: what they were, and fresh bits above. */
class GrownLabelsTest {

  private static final int RANGES = 4000;
  private static final int LEAVES = 1 << 6;
  private static final int GROWN_LEAVES = 1 << 8;

  /** Five deviations of a count of fair bits. */
  private static final double BOUND = 5 * Math.sqrt(RANGES) / 2;

  private final LabelPrf prf = new LabelPrf();

  /**
   * With every other range relabelled as if it had been read; the others have their first label.
   */
  private LocalPositionMap map() {
    LocalPositionMap map = new LocalPositionMap(prf, 3, RANGES, LEAVES);
    Random random = new Random(1);
    for (int range = 0; range < RANGES; range += 2) {
      map.exchange(range, new int[] {random.nextInt(LEAVES)});
    }
    return map;
  }

  private static byte[] saved(LocalPositionMap map) throws IOException {
    ByteArrayOutputStream saved = new ByteArrayOutputStream();
    try (StateCopy copy = new StateCopy()) {
      copy.add(map.startCopy(RANGES));
      copy.writePadded(new DataOutputStream(saved));
    }
    return saved.toByteArray();
  }

  private LocalPositionMap grown(byte[] saved) throws IOException {
    LocalPositionMap grown = new LocalPositionMap(prf, 3, 2 * RANGES, GROWN_LEAVES);
    grown.readFrom(new DataInputStream(new ByteArrayInputStream(saved)), LEAVES);
    return grown;
  }

  @Test
  void lowBitsStayAndTheOthersAreFreshAndFair() throws IOException {
    LocalPositionMap map = map();
    byte[] saved = saved(map);
    LocalPositionMap grown = grown(saved);
    LocalPositionMap again = grown(saved);
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
  void newRangesHaveFirstLabels() throws IOException {
    LocalPositionMap grown = grown(saved(map()));
    int upper = 0;
    for (int range = RANGES; range < 2 * RANGES; range++) {
      assertThat(grown.label(range)).isEqualTo(prf.label(3, range, GROWN_LEAVES));
      upper += grown.label(range) / (GROWN_LEAVES / 2);
    }
    assertThat((double) upper).isBetween(RANGES / 2 - BOUND, RANGES / 2 + BOUND);
  }
}
