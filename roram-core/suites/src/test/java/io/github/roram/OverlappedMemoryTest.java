package io.github.roram;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.session.AsyncView;
import io.github.roram.session.StoreOpening;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.file.FileOptions;
import io.github.roram.store.BlockStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client with a budget for accesses that overlap stays within it: measured as {@link
 * ClientMemoryTest} does, while requests of the store stand still, some of reads, some of chunks,
 * others drawn each time, and what can go on has gone on.
 *
 * <p>At length: {@code -Droram.memory.exponent=22 -Droram.memory.blockBytes=4096
 * -Droram.memory.overlapBudget=100663296 -Droram.memory.rounds=24}.
 */
@Isolated("memory of the whole JVM is measured")
@Tag("gate")
class OverlappedMemoryTest {

  private static final Logger LOG = LoggerFactory.getLogger(OverlappedMemoryTest.class);

  private static final int EXPONENT = Integer.getInteger("roram.memory.exponent", 15);
  private static final int BLOCK_BYTES = Integer.getInteger("roram.memory.blockBytes", 512);
  private static final long BUDGET = Long.getLong("roram.memory.overlapBudget", 16 << 20);
  private static final int ROUNDS = Integer.getInteger("roram.memory.rounds", 4);
  private static final int IN_FLIGHT = Integer.getInteger("roram.memory.inFlight", 8);

  /** What the virtual machine, the test and logs may add, or have freed since. */
  private static final long NOISE_BYTES = 512 << 10;

  private static final Set<String> OF_THE_STASH =
      Set.of(
          "treetop",
          "blocks waiting for eviction",
          "blocks waiting for write-back",
          "stash, to its limit",
          "blocks of an access");

  @TempDir Path directory;
  private int stores;

  static Stream<OramConfig> configs() {
    return Stream.of(
        builder().build(),
        builder().scheme("path-batched").build(),
        builder().positionMap("recursive").build(),
        // Nothing hides in a treetop.
        builder().treetopBytes(0).build(),
        builder().scheme("tao").treetopBytes(0).build(),
        builder().scheme("ring").build());
  }

  private static OramConfig.Builder builder() {
    return OramConfig.builder(1L << EXPONENT)
        .blockBytes(BLOCK_BYTES)
        .clientMemory(new ClientBudget(BUDGET, OpenOptions.defaults().withInFlight(IN_FLIGHT)));
  }

  /**
   * What a run showed when it took most.
   *
   * @param bytes of heap: the store has its buffers, one for each request, next to it
   * @param said what the client said of itself then
   */
  private record Most(long bytes, ClientMemory said) {}

  @ParameterizedTest
  @MethodSource("configs")
  void theClientTakesNoMoreThanItMay(OramConfig config) throws Exception {
    OpenOptions options = options();
    ClientMemory promised = Scheme.of(config.scheme()).clientMemory(config, options).orElseThrow();
    assertThat(promised.bytes()).isLessThanOrEqualTo(BUDGET);
    // As many wait as are under way.
    List<ByteBuffer> buffers =
        IntStream.range(0, 2 * IN_FLIGHT)
            .mapToObj(call -> ByteBuffer.allocate(config.maxRangeBlocks() * config.blockBytes()))
            .toList();
    run(config, options, promised, buffers, 1); // so that all classes are loaded
    Most most = run(config, options, promised, buffers, ROUNDS);
    LOG.info("{}: promised {}, {}", config, promised.bytes(), most);
    assertThat(most.bytes - NOISE_BYTES)
        .as("%s held, %s", config, most)
        .isLessThanOrEqualTo(promised.bytes());
    assertThat(most.bytes + NOISE_BYTES)
        .as("what is measured")
        .isGreaterThan(most.said.bytes() / 2);
  }

  private static OpenOptions options() {
    return OpenOptions.defaults()
        .withThreads(2)
        .withInFlight(IN_FLIGHT)
        .withDurability(Durability.OS)
        .withBackgroundCheckpoints(false)
        .withCheckpointBytes(1 << 20);
  }

  private Most run(
      OramConfig config,
      OpenOptions options,
      ClientMemory promised,
      List<ByteBuffer> buffers,
      int rounds)
      throws IOException, InterruptedException {
    String uri = "file:" + directory.resolve("store" + stores++);
    StoreOptions oneRead = FileOptions.defaults().withReadDepth(1).storeOptions();
    Most most = new Most(0, ClientMemory.UNKNOWN);
    UsedMemory.atRest();
    long before = UsedMemory.heapBytes();
    Random random = new Random(1);
    try (OpenedStore opened = Stores.create(uri, Orams.storeBytes(config), oneRead);
        MasterKey key = MasterKey.generate();
        StallingStore store = new StallingStore(opened.store());
        AsyncOram oram = overlapping(opened, store, config, options, key)) {
      for (int round = 0; round < rounds; round++) {
        store.stall(1 + random.nextInt(8));
        CompletableFuture<Void> answered =
            CompletableFuture.runAsync(() -> call(oram, buffers, random).join());
        try {
          store.awaitStill();
          ClientMemory now = oram.clientMemory();
          long used = UsedMemory.heapBytes() - before;
          assertWithin(now, promised);
          most = used > most.bytes ? new Most(used, now) : most;
        } finally {
          store.goOn();
        }
        answered.join();
      }
    }
    return most;
  }

  /** Accesses overlap, also while there is one alone. */
  private static AsyncOram overlapping(
      OpenedStore opened, BlockStore store, OramConfig config, OpenOptions options, MasterKey key)
      throws IOException {
    StoreOpening opening = new StoreOpening(store, opened.vault(), key, LabelSource.secure());
    return new AsyncView(opening.create(config, options));
  }

  /** Item by item, but for the blocks of a stash: they are free to be what they are for. */
  private static void assertWithin(ClientMemory now, ClientMemory promised) {
    assertThat(now.bytes()).isLessThanOrEqualTo(promised.bytes());
    for (ClientMemory.Item item : now.items()) {
      if (!OF_THE_STASH.contains(item.name())) {
        assertThat(item.bytes())
            .as("%s of %s", item, promised)
            .isLessThanOrEqualTo(promised.bytes(item.name()));
      }
    }
  }

  /** Waits where there is no room for more. */
  private static CompletableFuture<Void> call(
      AsyncOram oram, List<ByteBuffer> buffers, Random random) {
    CompletableFuture<?>[] calls =
        buffers.stream()
            .map(
                blocks -> {
                  int longest = Integer.numberOfTrailingZeros(oram.config().maxRangeBlocks());
                  int count = 1 << (longest - random.nextInt(1 + random.nextInt(longest + 1)));
                  // So few that most were written before, and come when they are read.
                  int often = 32 * oram.config().maxRangeBlocks();
                  long first = random.nextInt(often - count + 1);
                  blocks.clear().limit(count * oram.config().blockBytes());
                  return random.nextBoolean()
                      ? oram.write(first, blocks)
                      : oram.read(first, count, blocks);
                })
            .toArray(CompletableFuture<?>[]::new);
    return CompletableFuture.allOf(calls);
  }
}
