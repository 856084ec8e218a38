package io.github.roram;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.file.FileOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client with a budget stays within it: heap after a collection and direct memory are measured,
 * those of the store included, between accesses and with checkpoints under way.
 *
 * <p>At length: {@code -Droram.memory.exponent=22 -Droram.memory.blockBytes=4096
 * -Droram.memory.budget=16777216 -Droram.memory.accesses=3000}.
 */
@Isolated("memory of the whole JVM is measured")
class ClientMemoryTest {

  private static final Logger LOG = LoggerFactory.getLogger(ClientMemoryTest.class);

  private static final int EXPONENT = Integer.getInteger("roram.memory.exponent", 15);
  private static final int BLOCK_BYTES = Integer.getInteger("roram.memory.blockBytes", 512);
  private static final long BUDGET = Long.getLong("roram.memory.budget", 4 << 20);
  private static final int ACCESSES = Integer.getInteger("roram.memory.accesses", 60);

  /** TaORAM keeps all labels, and buckets that were read: it takes so many budgets. */
  private static final int TAO_BUDGETS = 3;

  /** What the virtual machine, the test and logs may add. */
  private static final long NOISE_BYTES = 256 << 10;

  /** A collection takes longer than many accesses. */
  private static final int MEASURED_EVERY = 20;

  @TempDir Path directory;
  private int stores;

  static Stream<OramConfig> configs() {
    if (EXPONENT < 20) {
      return Stream.of(
          recursive().clientMemory(BUDGET).build(),
          builder().scheme("path").clientMemory(BUDGET).build(),
          builder().scheme("tao").clientMemory(BUDGET).build(),
          builder().scheme("ring").clientMemory(BUDGET).build());
    }
    return Stream.of(
        recursive().clientMemory(BUDGET).build(),
        builder().clientMemory(2 * BUDGET).build(),
        recursive().scheme("path-batched").clientMemory(BUDGET).build(),
        builder().scheme("path").clientMemory(BUDGET).build(),
        builder().scheme("tao").clientMemory(TAO_BUDGETS * BUDGET).build());
  }

  private static OramConfig.Builder recursive() {
    return builder().positionMap("recursive");
  }

  private static OramConfig.Builder builder() {
    return OramConfig.builder(1L << EXPONENT).blockBytes(BLOCK_BYTES);
  }

  /**
   * What a run showed when it took most.
   *
   * @param bytes of heap and direct memory
   * @param said what the client said of itself then
   * @param directBytes direct memory, which is the store's
   */
  private record Most(long bytes, ClientMemory said, long directBytes) {}

  @ParameterizedTest
  @MethodSource("configs")
  void theClientTakesNoMoreThanItMay(OramConfig config) throws IOException {
    OpenOptions options = options(config);
    ClientMemory promised = Scheme.of(config.scheme()).clientMemory(config, options).orElseThrow();
    int budgets = config.scheme().equals("tao") ? TAO_BUDGETS : 2;
    assertThat(promised.bytes()).isLessThanOrEqualTo(budgets * BUDGET);
    run(config, options, promised, MEASURED_EVERY + 1); // so that all classes are loaded
    Most most = run(config, options, promised, ACCESSES);
    // The store's own buffers are its affair; at a scale that counts they have room, too.
    long counted = EXPONENT < 20 ? most.bytes - most.directBytes - NOISE_BYTES : most.bytes;
    assertThat(counted).as("%s held, %s", config, most).isLessThanOrEqualTo(promised.bytes());
    assertThat(most.bytes + NOISE_BYTES)
        .as("what is measured")
        .isGreaterThan(most.said.bytes() / 2);
    LOG.info("{}: promised {}, {}", config, promised.bytes(), most);
  }

  private static OpenOptions options(OramConfig config) {
    OpenOptions options =
        OpenOptions.defaults()
            .withThreads(2)
            .withBackgroundCheckpoints(false)
            .withCheckpointBytes(1 << 20);
    return options.withDurability(
        config.has(Scheme.Trait.JOURNALLED) ? Durability.OS : Durability.NONE);
  }

  private Most run(OramConfig config, OpenOptions options, ClientMemory promised, int accesses)
      throws IOException {
    ByteBuffer blocks = ByteBuffer.allocate(config.maxRangeBlocks() * config.blockBytes());
    String uri = "file:" + directory.resolve("store" + stores++);
    StoreOptions oneRead = FileOptions.defaults().withReadDepth(1).storeOptions();
    Most most = new Most(0, ClientMemory.UNKNOWN, 0);
    long before = UsedMemory.atRest();
    try (OpenedStore opened = Stores.create(uri, Orams.storeBytes(config), oneRead);
        MasterKey key = MasterKey.generate();
        Oram oram = Orams.create(opened.store(), opened.vault(), config, key, options)) {
      Random random = new Random(1);
      for (int access = 1; access <= accesses; access++) {
        int count = 1 << random.nextInt(9);
        long first = random.nextInt((int) config.blocks() - count);
        blocks.clear().limit(count * config.blockBytes());
        if (random.nextBoolean()) {
          oram.write(first, blocks);
        } else {
          oram.read(first, count, blocks);
        }
        if (access % MEASURED_EVERY == 0) {
          long used = UsedMemory.bytes() - before;
          ClientMemory now = oram.clientMemory();
          assertThat(now.bytes()).isLessThanOrEqualTo(promised.bytes());
          most = used > most.bytes ? new Most(used, now, UsedMemory.directBytes()) : most;
        }
      }
    }
    return most;
  }
}
