package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.Preset;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.testkit.ArrayChannel;
import io.github.roram.testkit.RecordingStore;
import io.github.roram.testkit.RecordingStore.Request;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the store sees of a bulk load depends on the configuration and on the memory that it may
 * take: not on the labels of the blocks, which are secret, nor on what is loaded and how much.
 */
@Tag("server-view")
class BulkLoadViewTest {

  private static final int BLOCKS = 2_000;
  private static final int BLOCK_BYTES = 512;

  /** A fraction of a request of the largest size, about one, and several. */
  private static final long[] MEMORY_BYTES = {1, 100_000, 500_000};

  static Stream<OramConfig> configurations() {
    List<OramConfig> all = new ArrayList<>();
    for (String scheme : List.of("path", "path-batched", "roram", "tao")) {
      all.add(builder(scheme).treetopBytes(0).build());
      all.add(builder(scheme).preset(Preset.PROVEN).build());
    }
    all.add(builder("roram").preset(Preset.PAPER).sizeClasses(0, 3, 6).build());
    return all.stream();
  }

  private static OramConfig.Builder builder(String scheme) {
    return OramConfig.builder(BLOCKS).scheme(scheme).blockBytes(BLOCK_BYTES).maxRangeBlocks(64);
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void theRequestsFollowFromConfigurationAndMemory(OramConfig config) throws IOException {
    int bytes = BLOCKS * BLOCK_BYTES;
    for (long memoryBytes : MEMORY_BYTES) {
      List<Request> expected = requests(config, memoryBytes, bytes, 0);
      assertThat(requests(config, memoryBytes, bytes / 2 + 77, 1))
          .as("a shorter source and other labels, %d bytes of memory", memoryBytes)
          .isEqualTo(expected);
      assertThat(requests(config, memoryBytes, 300, 2))
          .as("a source that fits the memory, %d bytes of memory", memoryBytes)
          .isEqualTo(expected);
    }
  }

  /** Each ORAM has a key and labels of its own. */
  private static List<Request> requests(
      OramConfig config, long memoryBytes, int sourceBytes, int seed) throws IOException {
    byte[] source = new byte[sourceBytes];
    new Random(seed).nextBytes(source);
    try (BlockStore memory = TestStores.create(Orams.storeBytes(config));
        RecordingStore store = new RecordingStore(memory);
        MasterKey key = MasterKey.generate();
        Oram oram = Orams.create(store, ClientVault.inMemory(), config, key)) {
      store.clear();
      List<Long> progress = new ArrayList<>();
      oram.bulkLoad(new ArrayChannel(source), memoryBytes, progress::add);
      List<Request> requests = store.requests();
      List<Long> written =
          requests.stream().map(Request::bytes).filter(moved -> moved > 0).toList();
      assertThat(progress).isEqualTo(written);
      return requests;
    }
  }
}
