package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.IoPhase;
import io.github.roram.testkit.RecordingStore;
import io.github.roram.testkit.RecordingStore.Request;
import io.github.roram.testkit.TestOrams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Growing shows that the store grew: with two workloads of the same size classes, which differ in
 * addresses, data and what they do, the store sees the same requests, but for the random paths of
 * reads, and the vault's disk the same lengths.
 */
@Tag("server-view")
final class GrowViewTest {

  private static final int BLOCKS = 64;
  private static final int GROWTHS = 3;
  private static final int ACCESSES = 60;

  /** What is seen of a request that may depend on the classes alone. */
  private static Object shape(Request request) {
    return request.phase() == IoPhase.READ
        ? List.of(request.operation(), request.phase(), request.tree())
        : request;
  }

  private static OramConfig.Builder builder(int blocks, String scheme) {
    return BuiltInContract.builder(blocks, scheme).chunkPaths(4).windowBlocks(9);
  }

  /** With the map in two trees, of so few blocks that they grow as well. */
  private static OramConfig recursive(int blocks, String scheme) {
    return builder(blocks, scheme)
        .positionMap("recursive")
        .set("blocksPerMapBlock", 4)
        .set("clientLabels", blocks / 16)
        .build();
  }

  @ParameterizedTest
  @ValueSource(strings = {"roram", "path-batched"})
  void workloadsLookAlike(String scheme) throws IOException {
    assertLookAlike(builder(BLOCKS, scheme).build());
  }

  @ParameterizedTest
  @ValueSource(strings = {"roram", "path-batched"})
  void workloadsLookAlikeWithTheMapOnTheStore(String scheme) throws IOException {
    assertLookAlike(recursive(BLOCKS, scheme));
  }

  private static void assertLookAlike(OramConfig config) throws IOException {
    List<Object> reads = seen(config, (oram, random, block, count) -> oram.read(0, count));
    List<Object> writes =
        seen(
            config,
            (oram, random, block, count) -> {
              byte[] data = new byte[count * oram.config().blockBytes()];
              random.nextBytes(data);
              oram.write(block, ByteBuffer.wrap(data));
            });
    assertThat(writes).hasSizeGreaterThan(GROWTHS * ACCESSES).isEqualTo(reads);
  }

  /** Once all levels are written: of each tree, what is asked of a store that was created so. */
  @ParameterizedTest
  @ValueSource(strings = {"roram", "path-batched"})
  void whatHasGrownIsAskedAsOneOfThatSize(String scheme) throws IOException {
    // All trees have so many leaves that they evict as many paths at once as larger ones.
    int blocks = 4 * BLOCKS;
    int larger = blocks << GROWTHS;
    assertThat(sizes(recursive(blocks, scheme), larger))
        .isEqualTo(sizes(recursive(larger, scheme), larger));
  }

  /** Bytes of the requests of accesses of single blocks, by what they are for. */
  private static Set<List<Object>> sizes(OramConfig config, int larger) throws IOException {
    Set<List<Object>> sizes = new HashSet<>();
    try (MasterKey key = MasterKey.generate();
        BlockStore memory = new MemoryStore(Orams.storeBytes(config));
        RecordingStore store = new RecordingStore(memory);
        Oram oram = Orams.create(store, ClientVault.inMemory(), config, key)) {
      while (oram.config().blocks() < larger) {
        oram.read(0, 1);
        oram.grow(oram.config().blocks() * 2);
      }
      for (int i = 0; i < larger; i++) {
        oram.read(i % larger, 1);
      }
      int first = store.requests().size();
      for (int i = 0; i < ACCESSES; i++) {
        oram.read(i, 1);
      }
      for (Request request : store.requests().subList(first, store.requests().size())) {
        sizes.add(List.of(request.operation(), request.phase(), request.tree(), request.bytes()));
      }
    }
    return sizes;
  }

  @FunctionalInterface
  private interface Access {
    void make(Oram oram, Random random, int block, int count) throws IOException;
  }

  private static List<Object> seen(OramConfig config, Access access) throws IOException {
    RecordingVault vault = new RecordingVault(ClientVault.inMemory());
    Random classes = new Random(7);
    Random random = new Random(11);
    try (MasterKey key = MasterKey.generate();
        BlockStore memory = new MemoryStore(Orams.storeBytes(config));
        RecordingStore store = new RecordingStore(memory)) {
      OpenOptions options = OpenOptions.defaults();
      try (Oram oram = TestOrams.create(store, vault, config, key, options, LabelSource.secure())) {
        for (int growth = 0; growth <= GROWTHS; growth++) {
          for (int i = 0; i < ACCESSES; i++) {
            int exponents = 32 - Integer.numberOfLeadingZeros(config.maxRangeBlocks());
            int count = 1 << classes.nextInt(exponents);
            int block = random.nextInt((int) oram.config().blocks() - count + 1);
            access.make(oram, random, block, count);
          }
          if (growth < GROWTHS) {
            oram.grow(oram.config().blocks() * 2);
          }
        }
      }
      List<Object> seen = new ArrayList<>(vault.events());
      store.requests().forEach(request -> seen.add(shape(request)));
      return seen;
    }
  }
}
