package io.github.roram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What went wrong in the published prototype of rORAM must not here (construction, section 8). */
class PrototypeLessonsTest {

  private final MasterKey key = MasterKey.generate();
  private final ClientVault vault = ClientVault.inMemory();

  @AfterEach
  void wipe() {
    key.close();
  }

  /** There, the eviction counter wraps modulo N, and after one lap old copies win. */
  @Test
  void nothingIsLostWhenEvictionsHaveGoneRoundTheTreeManyTimes() throws IOException {
    OramConfig config =
        OramConfig.builder(64)
            .blockBytes(512)
            .maxRangeBlocks(8)
            .treetopBytes(0)
            .windowBlocks(0)
            .build();
    Random random = new Random(5);
    byte[] model = new byte[(int) config.bytes()];
    try (Oram oram = Orams.create(store(config), vault, config, key)) {
      for (int i = 0; i < 3000; i++) {
        int count = 1 + random.nextInt(8);
        int block = random.nextInt(65 - count);
        byte[] data = random(random, count * 512);
        oram.write(block, ByteBuffer.wrap(data));
        System.arraycopy(data, 0, model, block * 512, data.length);
        int other = random.nextInt(57);
        assertThat(oram.read(other, 8)).isEqualTo(ByteBuffer.wrap(model, other * 512, 8 * 512));
      }
      int leaves = TreeParameters.of(config).leaves();
      assertThat(oram.stats().trees())
          .allSatisfy(tree -> assertThat(tree.evictions()).isGreaterThan(50L * leaves));
    }
  }

  /** There, a write stores nothing, and a range that touches the end crashes after it remapped. */
  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram", "tao"})
  void rangesThatTouchTheEndAreWrittenAndReadWhole(String scheme) throws IOException {
    OramConfig config =
        OramConfig.builder(1001).scheme(scheme).blockBytes(512).maxRangeBlocks(100).build();
    try (Oram oram = Orams.create(store(config), vault, config, key)) {
      for (int count : new int[] {1, 2, 33, 64, 100}) {
        byte[] data = random(new Random(count), count * 512);
        oram.write(1001 - count, ByteBuffer.wrap(data));
        assertThat(oram.read(1001 - count, count)).isEqualTo(ByteBuffer.wrap(data));
        assertThatThrownBy(() -> oram.read(1002 - count, count))
            .isInstanceOf(IndexOutOfBoundsException.class)
            .hasMessageContaining("0 to 1000");
        assertThat(oram.read(1001 - count, count)).isEqualTo(ByteBuffer.wrap(data));
      }
    }
  }

  /** There, the keystream repeats every 20 bytes, so files decrypt without the key. */
  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram", "tao"})
  void theStoreHoldsNoPlaintextAndNoRepetition(String scheme) throws IOException {
    OramConfig config =
        OramConfig.builder(64)
            .scheme(scheme)
            .blockBytes(512)
            .maxRangeBlocks(8)
            .treetopBytes(0)
            .windowBlocks(0)
            .build();
    HeapStore store = store(config);
    try (Oram oram = Orams.create(store, vault, config, key)) {
      for (int i = 0; i < 300; i++) {
        oram.write(i * 8 % 64, ByteBuffer.allocate(8 * 512));
      }
    }
    Set<Long> words = new HashSet<>();
    int repeated = 0;
    ByteBuffer bytes = store.contents(4096);
    while (bytes.remaining() >= 8) {
      long word = bytes.getLong();
      repeated += word != 0 && !words.add(word) ? 1 : 0;
    }
    assertThat(words.size()).isGreaterThan(1000);
    // Zeros are places that no eviction has reached; clear headers repeat a word or two.
    assertThat(repeated).isLessThan(words.size() / 20);
  }

  /** There, the range client saves no state. */
  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram", "tao"})
  void whatWasWrittenIsThereWhenAnotherProcessOpensTheStore(String scheme) throws IOException {
    OramConfig config =
        OramConfig.builder(300).scheme(scheme).blockBytes(512).maxRangeBlocks(8).build();
    HeapStore store = store(config);
    byte[] data = random(new Random(1), 8 * 512);
    try (Oram oram = Orams.create(store, vault, config, key)) {
      oram.write(7, ByteBuffer.wrap(data));
    }
    for (int i = 0; i < 3; i++) {
      try (Oram oram = Orams.open(store, vault, config, key)) {
        assertThat(oram.read(7, 8)).isEqualTo(ByteBuffer.wrap(data));
      }
    }
  }

  /** There, a stash overflow is an assertion; here nothing is lost, and there is a way out. */
  @Test
  void aStashOverflowIsAnErrorThatLosesNothing() throws IOException {
    OramConfig tight =
        OramConfig.builder(512)
            .blockBytes(512)
            .maxRangeBlocks(64)
            .bucketSlots(2)
            .evictionRate(2)
            .blocksPerLeaf(2)
            .treetopBytes(0)
            .windowBlocks(0)
            .stashLimitBlocks(8)
            .build();
    HeapStore store = store(tight);
    Random random = new Random(3);
    byte[] model = new byte[512 * 512];
    StashOverflowException overflow = null;
    Oram oram = Orams.create(store, vault, tight, key);
    for (int i = 0; i < 20_000 && overflow == null; i++) {
      int block = random.nextInt(512);
      byte[] data = random(random, 512);
      try {
        oram.write(block, ByteBuffer.wrap(data));
        System.arraycopy(data, 0, model, block * 512, 512);
      } catch (StashOverflowException e) {
        overflow = e;
      }
    }
    assertThat(overflow).as("these parameters are known to be too tight").isNotNull();
    assertThat(overflow)
        .hasMessageContaining("its limit is 8")
        .hasMessageContaining("bucketSlots=2 evictionRate=2");
    oram.close();
    OramConfig roomy = tight.toBuilder().stashLimitBlocks(5000).build();
    try (Oram again = Orams.open(store, vault, roomy, key)) {
      for (int block = 0; block < 512; block += 64) {
        assertThat(again.read(block, 64)).isEqualTo(ByteBuffer.wrap(model, block * 512, 64 * 512));
      }
    }
  }

  private static HeapStore store(OramConfig config) {
    return new HeapStore(Orams.storeBytes(config));
  }

  private static byte[] random(Random random, int bytes) {
    byte[] data = new byte[bytes];
    random.nextBytes(data);
    return data;
  }
}
