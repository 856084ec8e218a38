package io.github.roram.detwo;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.checkpoint.GradualCopy;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The packed map is an array of slots, and its copy is that of one moment. */
final class HoldingMapTest {

  @ParameterizedTest
  @CsvSource({"1, 1", "100, 2", "5000, 63", "5000, 64", "20000, 1000000", "300, 2147483646"})
  void isAnArrayAndIsCopiedAsItWas(int blocks, int slots) throws IOException {
    Random random = new Random(slots);
    HoldingMap map = new HoldingMap(blocks, slots);
    int[] model = new int[blocks];
    Arrays.fill(model, -1);
    change(map, model, slots, random);
    int[] then = model.clone();

    GradualCopy copy = map.startCopy();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    boolean more = true;
    while (more) {
      change(map, model, slots, random);
      more = copy.step(out);
    }
    copy.end();
    assertThat(bytes.size()).isEqualTo((int) copy.mostBytes());
    assertHolds(map, model);

    HoldingMap restored = new HoldingMap(blocks, slots);
    restored.readFrom(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    assertHolds(restored, then);
  }

  private static void change(HoldingMap map, int[] model, int slots, Random random) {
    for (int i = 0; i < 50; i++) {
      int block = random.nextInt(model.length);
      model[block] = random.nextInt(4) == 0 ? -1 : random.nextInt(slots);
      map.setSlot(block, model[block]);
    }
  }

  private static void assertHolds(HoldingMap map, int[] model) {
    for (int block = 0; block < model.length; block++) {
      assertThat(map.slot(block)).isEqualTo(model[block]);
    }
  }
}
