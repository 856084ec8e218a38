package io.github.roram.storage.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.testkit.Batches;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class CountingStoreTest {

  private final CountingStore store = new CountingStore(new MemoryStore(1 << 20));

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  private void read(IoPhase phase, int tree, long... offsetsAndUnits) throws IOException {
    Batches.read(store, Batches.of(phase, tree, 10, offsetsAndUnits));
  }

  private void write(IoPhase phase, int tree, long... offsetsAndUnits) throws IOException {
    ExtentBatch batch = Batches.of(phase, tree, 10, offsetsAndUnits);
    Batches.write(store, batch, new byte[(int) batch.bytes()]);
  }

  @Test
  void countsByTreeAndPhase() throws IOException {
    read(IoPhase.READ, 0, 0, 2, 100, 3);
    read(IoPhase.EVICT_READ, 1, 130, 1, 500, 1);
    write(IoPhase.EVICT_WRITE, 1, 510, 4);
    write(IoPhase.EVICT_WRITE, 1, 510, 4);
    store.sync();

    IoCounts read = new IoCounts(1, 2, 2, 0, 50, 0);
    IoCounts evictRead = new IoCounts(1, 2, 1, 0, 20, 0);
    IoCounts evictWrite = new IoCounts(2, 2, 1, 0, 0, 80);
    IoCounts syncs = new IoCounts(0, 0, 0, 1, 0, 0);
    assertThat(store.byTree())
        .isEqualTo(
            Map.of(
                ExtentBatch.NO_TREE,
                Map.of(IoPhase.META, syncs),
                0,
                Map.of(IoPhase.READ, read),
                1,
                Map.of(IoPhase.EVICT_READ, evictRead, IoPhase.EVICT_WRITE, evictWrite)));
    assertThat(store.of(IoPhase.EVICT_WRITE)).isEqualTo(evictWrite);
    assertThat(store.total()).isEqualTo(read.plus(evictRead).plus(evictWrite).plus(syncs));
    assertThat(store.total().roundTrips()).isEqualTo(5);
    assertThat(store.total().bytes()).isEqualTo(150);
  }

  @Test
  void emptyBatchesAndFailedCallsCountNothing() throws IOException {
    read(IoPhase.READ, 0);
    write(IoPhase.READ, 0);
    assertThatThrownBy(() -> read(IoPhase.READ, 0, 1 << 20, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(store.total()).isEqualTo(IoCounts.ZERO);
    assertThat(store.byTree()).isEmpty();
  }

  @Test
  void resetForgetsCountsButNotWhereTheDeviceStands() throws IOException {
    read(IoPhase.READ, 0, 0, 2);
    store.reset();
    read(IoPhase.READ, 0, 20, 1);
    assertThat(store.total()).isEqualTo(new IoCounts(1, 1, 0, 0, 10, 0));
  }

  @Test
  void differencesUndoSums() {
    IoCounts earlier = new IoCounts(1, 2, 3, 4, 5, 6);
    IoCounts later = new IoCounts(10, 20, 30, 40, 50, 60);
    assertThat(later.minus(earlier).plus(earlier)).isEqualTo(later);
    assertThat(later.minus(IoCounts.ZERO)).isEqualTo(later);
  }
}
