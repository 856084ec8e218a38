package io.github.roram.auditor.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Durability;
import io.github.roram.OramConfig;
import io.github.roram.auditor.workload.Provocation.ActiveStore;
import io.github.roram.open.Orams;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an adversary who is active does does not follow from chance. */
final class ProvocationTest {

  private static final int EVICTIONS = 400;

  /** With Ring ORAM: all buckets of a path may be closed. */
  @ParameterizedTest
  @ValueSource(longs = {2, 4, 6, 8})
  void evictionsThatHaveNothingToReadFailAsTheOthersDo(long seed) throws IOException {
    List<Integer> all = failures(seed, eviction -> true);
    assertThat(all).last().isNotEqualTo(0);
    assertThat(failures(seed, eviction -> eviction % 3 != 0)).isEqualTo(all);
  }

  /** How many requests of each eviction failed, which is made again then. */
  private static List<Integer> failures(long seed, IntPredicate reads) throws IOException {
    OramConfig config = RunSettings.smallConfig("ring", Map.of());
    Provocation rule = Provocation.of(seed, config, Durability.SYNC);
    rule.setActive(true);
    List<Integer> failures = new ArrayList<>();
    try (ActiveStore store =
        new ActiveStore(new MemoryStore(Orams.storeBytes(config)), rule, config)) {
      for (int eviction = 0; eviction < EVICTIONS; eviction++) {
        while (!isMade(store, config, reads.test(eviction))) {
          // once more
        }
        failures.add(store.failed().size());
      }
    }
    return failures;
  }

  private static boolean isMade(ActiveStore store, OramConfig config, boolean reads) {
    int slotBytes = Math.toIntExact(52 + config.blockBytes());
    try {
      if (reads) {
        store.read(batch(IoPhase.EVICT_READ, slotBytes), (unit, bytes) -> {});
      }
      store.write(
          batch(IoPhase.EVICT_WRITE, slotBytes), (unit, bytes) -> bytes.put(new byte[slotBytes]));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static ExtentBatch batch(IoPhase phase, int slotBytes) {
    ExtentBatch batch = new ExtentBatch().reset(phase, 0, slotBytes);
    batch.add(4096, 1);
    return batch;
  }
}
