package io.github.roram.bench.paging;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.paging.PageStore;
import io.github.roram.paging.PagedMemory;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ClientVault;
import io.github.roram.testkit.RecordingStore;
import io.github.roram.testkit.RecordingStore.Operation;
import io.github.roram.testkit.RecordingStore.Request;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Paging over detwo: what is written follows from the number of faults alone; what is read names
 * the pages, as it must.
 */
class PagingUnderSnapshotsTest {

  private static final int PAGES = 60;
  private static final int PAGE_BYTES = 512;
  private static final int FAULTS = 200;

  @ParameterizedTest
  @ValueSource(strings = {"plain", "eager", "parallel", "eager-parallel"})
  void writesTellNothing(String form) throws IOException {
    List<Request> readsInOrder = seen(form, 0, false);
    List<Request> writesAtRandom = seen(form, 7, true);
    assertThat(only(Operation.WRITE, readsInOrder))
        .hasSizeGreaterThan(FAULTS / 2)
        .isEqualTo(only(Operation.WRITE, writesAtRandom));
    assertThat(only(Operation.READ, readsInOrder))
        .isNotEqualTo(only(Operation.READ, writesAtRandom));
  }

  private static List<Request> only(Operation operation, List<Request> requests) {
    return requests.stream().filter(request -> request.operation() == operation).toList();
  }

  /** Each access faults: the pages are either in order or in a random one. */
  private static List<Request> seen(String form, long seed, boolean writing) throws IOException {
    OramConfig config =
        OramConfig.builder(PAGES)
            .scheme("detwo")
            .set("overhead", 3)
            .set("form", form)
            .blockBytes(PAGE_BYTES)
            .build();
    RecordingStore store = new RecordingStore(new MemoryStore(Orams.storeBytes(config)));
    OpenOptions options = OpenOptions.defaults().withDurability(Durability.NONE).withThreads(2);
    Random random = new Random(seed);
    try (MasterKey key = MasterKey.generate();
        Oram oram = Orams.create(store, ClientVault.inMemory(), config, key, options);
        PagedMemory memory = PagedMemory.over(PageStore.of(oram))) {
      for (long page = 0; memory.stats().faults() < FAULTS; ) {
        if (writing) {
          memory.putLong(page * PAGE_BYTES, page);
        } else {
          memory.getLong(page * PAGE_BYTES);
        }
        page = seed == 0 ? (page + 1) % PAGES : random.nextInt(PAGES);
      }
    }
    return store.requests();
  }
}
