package io.github.roram.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.store.StoreParts.Part;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** What of a request is in memory: the units that lie in parts that are there, whole. */
final class PartsInMemoryTest {

  private static final int CAPACITY_BYTES = 10_000;

  @Test
  void partsAreInTheOrderOfLevelsAndEndWhereOthersBegin() {
    StoreParts parts =
        new StoreParts(List.of(List.of(100L, 200L, 900L), List.of(500L, 600L)), List.of(550L));
    assertThat(parts.inOrder(1000))
        .containsExactly(
            new Part(100, 100),
            new Part(500, 50),
            new Part(200, 300),
            new Part(600, 300),
            new Part(900, 100));
    assertThat(parts.inOrder(950)).hasSize(5).endsWith(new Part(900, 50));
    assertThat(parts.inOrder(900)).hasSize(4);
  }

  /** One that does not fit ends it, whatever fits behind it. */
  @Test
  void theFirstPartsThatFitAreTakenWhole() {
    List<Part> parts = List.of(new Part(500, 300), new Part(100, 400), new Part(0, 10));
    PartsInMemory some = PartsInMemory.first(parts, bytes -> bytes <= 300);
    assertThat(some.ranges()).containsExactly(new Part(500, 300));
    PartsInMemory all = PartsInMemory.first(parts, bytes -> true);
    assertThat(all.ranges()).containsExactly(new Part(0, 10), new Part(100, 700));
    assertThat(all.bytes()).isEqualTo(710);
    assertThat(PartsInMemory.first(List.of(new Part(0, 1L << 31)), bytes -> true).bytes()).isZero();
  }

  /** Which units of a request came, in order, and whether from memory. */
  private static List<Boolean> split(PartsInMemory parts, ExtentBatch batch) throws IOException {
    List<Boolean> found = new ArrayList<>();
    parts.split(
        batch,
        new PartsInMemory.Runs() {
          @Override
          public void inMemory(int firstUnit, long range, long offset, int units) {
            assertThat(range).isLessThanOrEqualTo(offset);
            add(firstUnit, offset, units, true);
          }

          @Override
          public void missing(int firstUnit, long offset, int units) {
            add(firstUnit, offset, units, false);
          }

          private void add(int firstUnit, long offset, int units, boolean held) {
            assertThat(firstUnit).isEqualTo(found.size());
            for (int unit = 0; unit < units; unit++) {
              long at = offset + (long) unit * batch.unitBytes();
              assertThat(at).isEqualTo(offsets(batch).get(found.size()));
              found.add(held);
            }
          }
        });
    return found;
  }

  private static List<Long> offsets(ExtentBatch batch) {
    List<Long> offsets = new ArrayList<>();
    for (int extent = 0; extent < batch.extents(); extent++) {
      for (int unit = 0; unit < batch.units(extent); unit++) {
        offsets.add(batch.offset(extent) + (long) unit * batch.unitBytes());
      }
    }
    return offsets;
  }

  @Property(tries = 100)
  void aUnitIsInMemoryIfAllOfItIs(@ForAll long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    List<Part> parts = new ArrayList<>();
    boolean[] held = new boolean[2 * CAPACITY_BYTES];
    for (int offset = random.nextInt(200); offset < CAPACITY_BYTES; ) {
      int bytes = 1 + random.nextInt(2000);
      parts.add(random.nextInt(parts.size() + 1), new Part(offset, bytes));
      offset += bytes + (random.nextBoolean() ? 0 : random.nextInt(1000));
    }
    int most = random.nextInt(parts.size() + 1);
    int[] taken = {0};
    PartsInMemory inMemory = PartsInMemory.first(parts, bytes -> taken[0]++ < most);
    for (Part part : parts.subList(0, most)) {
      for (long at = part.offset(); at < part.offset() + part.bytes(); at++) {
        held[(int) at] = true;
      }
    }
    ExtentBatch batch = new ExtentBatch().reset(IoPhase.READ, 0, 1 + random.nextInt(300));
    for (int extent = 0; extent < 6; extent++) {
      batch.add(random.nextInt(CAPACITY_BYTES), 1 + random.nextInt(9));
    }
    List<Boolean> expected = new ArrayList<>();
    for (long offset : offsets(batch)) {
      boolean all = true;
      for (int at = 0; at < batch.unitBytes(); at++) {
        all &= held[(int) offset + at];
      }
      expected.add(all);
    }
    assertThat(split(inMemory, batch)).isEqualTo(expected);
  }
}
