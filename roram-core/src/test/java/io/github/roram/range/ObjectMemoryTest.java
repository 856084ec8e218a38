package io.github.roram.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.ClientBudget;
import io.github.roram.ClientMemory;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.engine.SchemeProvider;
import io.github.roram.object.MemoryObjects;
import io.github.roram.object.ObjectStore;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.session.AsyncView;
import io.github.roram.session.StoreOpening;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A client of a store of objects holds no more for accesses that overlap than is promised. */
final class ObjectMemoryTest {

  private static final int BLOCKS = 1 << 14;
  private static final int BLOCK_BYTES = 512;
  private static final int IN_FLIGHT = 8;

  @Test
  void aBudgetForObjectsHasRoomForTheirChunks() {
    OpenOptions options = OpenOptions.defaults().withInFlight(IN_FLIGHT);
    ClientBudget budget = new ClientBudget(512L << 20, options);
    OramConfig.Builder builder = OramConfig.builder(1 << 20).chunkPaths(256).clientMemory(budget);
    Scheme scheme = Scheme.of("roram");
    assertThat(scheme.objectMemory(builder.build(), options).orElseThrow().bytes())
        .isGreaterThan(budget.bytes());
    OramConfig config = builder.inObjects().build();
    assertThat(scheme.objectMemory(config, options).orElseThrow().bytes())
        .isLessThanOrEqualTo(budget.bytes());
  }

  /** At creation windows are made longer, for whole chunks. */
  @Test
  void whatIsPromisedHoldsOnceTheStoreIsCreated() throws IOException {
    OramConfig config = OramConfig.builder(1 << 16).chunkPaths(256).windowBlocks(0).build();
    Scheme scheme = Scheme.of("roram");
    OpenOptions options = OpenOptions.defaults();
    try (ObjectStore store = ObjectStore.create(new MemoryObjects())) {
      OramConfig fitted = SchemeProvider.of(config).fitted(config, store);
      assertThat(TreeParameters.of(fitted).windowBlocks()).isPositive();
      assertThat(scheme.objectMemory(fitted, options).orElseThrow().bytes())
          .isLessThanOrEqualTo(scheme.objectMemory(config, options).orElseThrow().bytes());
    }
  }

  @ParameterizedTest
  @CsvSource({"path-batched, 256", "roram, 32", "roram, 256"})
  void noMoreThanWasPromised(String scheme, int paths) throws IOException {
    OramConfig config =
        OramConfig.builder(BLOCKS)
            .scheme(scheme)
            .blockBytes(BLOCK_BYTES)
            .chunkPaths(paths)
            .treetopBytes(0)
            .build();
    OpenOptions options =
        OpenOptions.defaults()
            .withDurability(Durability.SYNC)
            .withThreads(2)
            .withInFlight(IN_FLIGHT);
    int range = config.maxRangeBlocks();
    Random random = new Random(1);
    try (MasterKey key = MasterKey.generate();
        ObjectStore store = ObjectStore.create(new MemoryObjects());
        AsyncView oram =
            new AsyncView(
                new StoreOpening(store, ClientVault.inMemory(), key, LabelSource.secure())
                    .create(config, options))) {
      ClientMemory promised = Scheme.of(scheme).objectMemory(oram.config(), options).orElseThrow();
      for (int first = 0; first < 2 * BLOCKS; first += IN_FLIGHT * range) {
        CompletableFuture<?>[] calls =
            IntStream.range(0, IN_FLIGHT)
                .mapToObj(
                    call ->
                        oram.write(
                            (long) random.nextInt(BLOCKS / range) * range,
                            ByteBuffer.allocate(range * BLOCK_BYTES)))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(calls).join();
      }
      ClientMemory now = oram.clientMemory();
      for (String item : new String[] {TreeMemory.CHUNK, TreeMemory.ARRIVED}) {
        assertThat(now.bytes(item))
            .as("%s: %s of %s", item, now, promised)
            .isLessThanOrEqualTo(promised.bytes(item));
      }
    }
  }
}
