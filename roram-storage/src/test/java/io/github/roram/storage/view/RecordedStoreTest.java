package io.github.roram.storage.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OramConfig;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RecordedStoreTest {

  private static final OramConfig CONFIG = OramConfig.builder(1).build();

  private static Sight sight(long access, Action action, long request, long offset, long bytes) {
    return new Sight(access, Observer.STORE, action, request, "", offset, bytes);
  }

  @Test
  void recordsEveryExtentOfEveryRequest() throws IOException {
    ViewRecorder recorder = new ViewRecorder();
    RecordedStore store = new RecordedStore(new MemoryStore(1 << 16), recorder);
    ExtentBatch batch = new ExtentBatch().reset(IoPhase.READ, 0, 512);
    batch.add(4096, 2);
    batch.add(0, 1);
    store.read(batch, (unit, bytes) -> bytes.position(bytes.limit()));
    recorder.access(2);
    batch.reset(IoPhase.EVICT_WRITE, 0, 512).add(1024, 3);
    store.write(batch, (unit, bytes) -> bytes.position(bytes.limit()));
    store.sync();
    store.close();
    store.close();
    assertThat(recorder.view(CONFIG))
        .isEqualTo(
            new View(
                CONFIG,
                List.of(
                    sight(0, Action.OPEN, 0, 0, 0),
                    sight(0, Action.READ, 1, 4096, 1024),
                    sight(0, Action.READ, 1, 0, 512),
                    new Sight(1, Observer.DECLARED, Action.ACCESS, 0, "", 0, 2),
                    sight(1, Action.WRITE, 2, 1024, 1536),
                    sight(1, Action.SYNC, 3, 0, 0),
                    sight(1, Action.CLOSE, 0, 0, 0))));
  }

  @Test
  void handsOnWhatItDoesNotKeep() {
    List<Sight> sights = new ArrayList<>();
    ViewRecorder recorder = new ViewRecorder(sights::add);
    recorder.bulkLoad(5);
    recorder.crash();
    assertThat(sights).extracting(Sight::action).containsExactly(Action.BULK_LOAD, Action.CRASH);
  }
}
