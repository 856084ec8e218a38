package io.github.roram.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.testkit.RecordingStore.Extent;
import io.github.roram.testkit.RecordingStore.Operation;
import io.github.roram.testkit.RecordingStore.Request;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RecordingStoreTest {

  @Test
  void recordsRequestsInOrderWithTheirExtents() throws IOException {
    try (RecordingStore store = new RecordingStore(new MemoryStore(1000))) {
      Batches.write(store, Batches.of(IoPhase.EVICT_WRITE, 3, 10, 50, 2), new byte[20]);
      store.sync();
      Batches.read(store, Batches.of(IoPhase.READ, 1, 10, 500, 1, 100, 2));
      assertThatThrownBy(() -> Batches.read(store, Batches.of(10, 995, 1)))
          .isInstanceOf(IndexOutOfBoundsException.class);

      List<Extent> read = List.of(new Extent(500, 10), new Extent(100, 20));
      assertThat(store.requests())
          .containsExactly(
              new Request(Operation.WRITE, IoPhase.EVICT_WRITE, 3, 10, List.of(new Extent(50, 20))),
              new Request(Operation.SYNC, IoPhase.META, ExtentBatch.NO_TREE, 0, List.of()),
              new Request(Operation.READ, IoPhase.READ, 1, 10, read),
              new Request(Operation.READ, IoPhase.READ, 0, 10, List.of(new Extent(995, 10))));
      assertThat(store.requests().get(2).bytes()).isEqualTo(30);
      assertThat(read.get(1).end()).isEqualTo(120);

      store.clear();
      assertThat(store.requests()).isEmpty();
    }
  }
}
