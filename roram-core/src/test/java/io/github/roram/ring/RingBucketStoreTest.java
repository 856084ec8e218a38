package io.github.roram.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.HeapStore;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.BucketStore;
import io.github.roram.store.BucketStoreContract;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rings over an address space; one tree has a level that was added later, with a longer slack. */
final class RingBucketStoreTest extends BucketStoreContract {

  private static LevelTable table(int slack) {
    LevelRun whole = new LevelRun(0, TOP, HEIGHT + 1 - TOP, BUCKET_BYTES[0], slack, 4096);
    LevelRun upper = new LevelRun(1, TOP, HEIGHT - TOP, BUCKET_BYTES[1], slack, whole.end() + 100);
    LevelRun added = new LevelRun(1, HEIGHT, 1, BUCKET_BYTES[1], 3 * slack, upper.end());
    return new LevelTable(List.of(whole, added, upper));
  }

  @Override
  protected BucketStore open(int mostAhead) {
    LevelTable table = table(mostAhead);
    return new RingBucketStore(new HeapStore(table.end()), table);
  }

  @Test
  void eachLevelHasItsOwnBaseAndSlack() throws IOException {
    LevelTable table = table(10);
    HeapStore bytes = new HeapStore(table.end());
    BucketStore store = new RingBucketStore(bytes, table);
    assertThat(store.mostAhead(1)).isEqualTo(10);
    BucketRuns runs = new BucketRuns().reset(IoPhase.EVICT_WRITE, 1, BUCKET_BYTES[1]);
    // The ring of level 6 of tree 1 has 64 + 30 places: eviction 94 is at its beginning.
    runs.add(HEIGHT, 93, 2, 1);
    store.write(
        runs,
        (firstUnit, units) -> {
          while (units.hasRemaining()) {
            units.put((byte) (units.position() < BUCKET_BYTES[1] && firstUnit == 0 ? 1 : 2));
          }
        });
    long base = table.run(1, HEIGHT).base();
    ByteBuffer first = bytes.contents((int) base);
    ByteBuffer last = bytes.contents((int) base + 93 * BUCKET_BYTES[1]);
    assertThat(first.get(0)).isEqualTo((byte) 2);
    assertThat(last.get(0)).isEqualTo((byte) 1);
    assertThat(first.get(BUCKET_BYTES[1])).isZero();
  }

  @Test
  void whatTheTableDoesNotHaveIsRefused() {
    BucketStore store = open(10);
    BucketRuns wrongSize = new BucketRuns().reset(IoPhase.READ, 1, 99);
    wrongSize.add(HEIGHT, 70, 1, 1);
    assertThatThrownBy(() -> store.read(wrongSize, (firstUnit, units) -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("have 24 bytes on this store, not 99");
    BucketRuns wrongLevel = new BucketRuns().reset(IoPhase.READ, 0, BUCKET_BYTES[0]);
    wrongLevel.add(TOP - 1, 70, 1, 1);
    assertThatThrownBy(() -> store.read(wrongLevel, (firstUnit, units) -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("level 1 of tree 0 is not in the table");
    BucketRuns wrongTree = new BucketRuns().reset(IoPhase.READ, 2, 24);
    wrongTree.add(HEIGHT, 70, 1, 1);
    assertThatThrownBy(() -> store.read(wrongTree, (firstUnit, units) -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("tree 2 is not in the table");
  }

  /** Several may be under way at once: one is asked for within the sink of the other. */
  @Test
  void aRequestWithinAnother() throws IOException {
    BucketStore store = open(10);
    BucketRuns outer = new BucketRuns().reset(IoPhase.EVICT_WRITE, 0, BUCKET_BYTES[0]);
    outer.add(HEIGHT, 60, 30, 1);
    outer.add(TOP, 64, 2, 1);
    store.write(outer, (firstUnit, units) -> fill(units, 3));
    BucketRuns inner = new BucketRuns().reset(IoPhase.EVICT_WRITE, 1, BUCKET_BYTES[1]);
    inner.add(HEIGHT, 64, 1, 1);
    int[] shown = new int[1];
    store.read(
        outer,
        (firstUnit, units) -> {
          store.write(inner, (innerUnit, innerUnits) -> fill(innerUnits, 4));
          shown[0] += units.remaining() / BUCKET_BYTES[0];
          assertThat(units.get(units.position())).isEqualTo((byte) 3);
        });
    assertThat(shown[0]).isEqualTo(32);
  }

  private static void fill(ByteBuffer units, int value) {
    while (units.hasRemaining()) {
      units.put((byte) value);
    }
  }
}
