package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.Rings;
import io.github.roram.storage.device.CountingStore;
import io.github.roram.storage.device.IoCounts;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.testkit.FaultyStore;
import io.github.roram.testkit.ModelledOram;
import io.github.roram.testkit.RecordingStore;
import io.github.roram.testkit.RecordingStore.Request;
import io.github.roram.testkit.TestOrams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An access that changes bytes: what it costs, and what it refuses. */
final class UpdateTest {

  private static final int BLOCKS = 100;
  private static final int BLOCK_BYTES = 512;
  private static final int BYTES = BLOCKS * BLOCK_BYTES;
  private static final int RANGE = 8;

  private static OramConfig config(String scheme) {
    return scheme.equals("ring")
        ? Rings.small(BLOCKS, BLOCK_BYTES, RANGE)
        : builder(scheme).build();
  }

  private static OramConfig.Builder builder(String scheme) {
    return OramConfig.builder(BLOCKS)
        .scheme(scheme)
        .blockBytes(BLOCK_BYTES)
        .maxRangeBlocks(RANGE)
        .treetopBytes(0)
        .chunkPaths(8)
        .windowBlocks(10);
  }

  /** What a store was asked for. */
  private record Cost(long accesses, IoCounts counts, List<Request> requests) {}

  /** With the same labels, an update asks the store for exactly what a read of its blocks does. */
  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram"})
  void costsWhatAReadCosts(String scheme) throws IOException {
    OramConfig config = config(scheme);
    Cost reads = cost(config, false);
    assertThat(reads.counts().bytes()).isPositive();
    assertThat(cost(config, true)).isEqualTo(reads);
  }

  @Test
  void costsWhatAReadCostsWithARecursivePositionMap() throws IOException {
    OramConfig config = builder("path").recursivePositionMap(true).build();
    assertThat(cost(config, true)).isEqualTo(cost(config, false));
  }

  private static Cost cost(OramConfig config, boolean updates) throws IOException {
    try (BlockStore memory = TestStores.create(Orams.storeBytes(config));
        RecordingStore recording = new RecordingStore(memory);
        CountingStore store = new CountingStore(recording);
        MasterKey key = MasterKey.generate();
        Oram oram =
            TestOrams.create(
                store, ClientVault.inMemory(), config, key, ModelledOram.seededLabels(9))) {
      readEverything(oram);
      recording.clear();
      store.reset();
      long before = oram.stats().accesses();
      Random random = new Random(5);
      for (int i = 0; i < 60; i++) {
        int count = 1 + random.nextInt(RANGE);
        int block = random.nextInt(BLOCKS - count + 1);
        int skip = random.nextInt(BLOCK_BYTES);
        int least = Math.max(1, (count - 1) * BLOCK_BYTES - skip + 1);
        int bytes = least + random.nextInt(count * BLOCK_BYTES - skip - least + 1);
        if (updates) {
          oram.update((long) block * BLOCK_BYTES + skip, ByteBuffer.allocate(bytes));
        } else {
          oram.read(block, count);
        }
      }
      return new Cost(
          oram.stats().accesses() - before, store.total(), List.copyOf(recording.requests()));
    }
  }

  /** From then on all labels are of the source that tests give. */
  private static void readEverything(Oram oram) throws IOException {
    for (int count = 1; count <= RANGE; count *= 2) {
      for (int block = 0; block < BLOCKS; block++) {
        oram.read(Math.min(block, BLOCKS - count), count);
      }
    }
  }

  private static Oram open(BlockStore store, MasterKey key) throws IOException {
    return Orams.create(store, ClientVault.inMemory(), builder("roram").build(), key);
  }

  private static BlockStore newStore() throws IOException {
    return TestStores.create(Orams.storeBytes(builder("roram").build()));
  }

  /** A longest range is a power of two, and may be longer than the store. */
  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram", "tao"})
  void looksLikeALongestRangeThatIsLongerThanTheStore(String scheme) throws IOException {
    OramConfig config = OramConfig.builder(5).scheme(scheme).blockBytes(BLOCK_BYTES).build();
    assertThat(config.maxRangeBlocks()).isEqualTo(8);
    try (BlockStore store = TestStores.create(Orams.storeBytes(config));
        MasterKey key = MasterKey.generate();
        Oram oram = Orams.create(store, ClientVault.inMemory(), config, key)) {
      for (int block = 0; block < 5; block++) {
        byte[] content = {(byte) (block + 1)};
        oram.updateBytes((long) block * BLOCK_BYTES, 8, ByteBuffer.wrap(content));
      }
      for (int block = 0; block < 5; block++) {
        byte[] found = new byte[1];
        oram.readBytes((long) block * BLOCK_BYTES, 8, ByteBuffer.wrap(found));
        assertThat(found).containsExactly(block + 1);
      }
    }
  }

  @Test
  void wrongArgumentsAreRefused() throws IOException {
    try (BlockStore store = newStore();
        MasterKey key = MasterKey.generate()) {
      Oram oram = open(store, key);
      assertThatThrownBy(() -> oram.update(-1, ByteBuffer.allocate(1)))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> oram.update(BYTES, ByteBuffer.allocate(1)))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining("1 bytes from byte 51200 on are not within the store's 51200");
      assertThatThrownBy(() -> oram.update(Long.MAX_VALUE, ByteBuffer.allocate(1)))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> oram.update(7, ByteBuffer.allocate(0)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("empty");
      assertThatThrownBy(() -> oram.update(1, ByteBuffer.allocate(RANGE * BLOCK_BYTES)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("lie in 9 blocks, must be at most 8; split")
          .hasMessageContaining("channel()");
      assertThat(oram.stats().accesses()).isZero();
      oram.update(0, ByteBuffer.allocate(RANGE * BLOCK_BYTES));
      oram.update(BYTES - 1, ByteBuffer.allocate(1));
      assertThat(oram.stats().accesses()).isEqualTo(2);
      oram.close();
      assertThatThrownBy(() -> oram.update(0, ByteBuffer.allocate(1)))
          .isInstanceOf(ClosedChannelException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram", "tao", "ring"})
  void aFailedAccessLeavesTheBufferWhereItWas(String scheme) throws IOException {
    OramConfig config = config(scheme);
    try (FaultyStore store = new FaultyStore(TestStores.create(Orams.storeBytes(config)));
        MasterKey key = MasterKey.generate();
        Oram oram = Orams.create(store, ClientVault.inMemory(), config, key)) {
      byte[] all = new byte[50 * BLOCK_BYTES];
      oram.channel().write(ByteBuffer.wrap(all));
      ByteBuffer buffer = ByteBuffer.allocateDirect(2000).position(100).limit(1300);
      for (int at = 100; at < 1300; at++) {
        buffer.put(at, (byte) at);
      }
      store.failNthRead(1);
      assertThatThrownBy(() -> oram.update(300, buffer)).hasMessageContaining("injected");
      assertThat(buffer.position()).isEqualTo(100);
      assertThat(buffer.limit()).isEqualTo(1300);
      oram.update(300, buffer.asReadOnlyBuffer());
      ByteBuffer found = oram.read(0, 3);
      ByteBuffer whole = ByteBuffer.allocate(4 * BLOCK_BYTES).position(3);
      store.failNthRead(1);
      assertThatThrownBy(() -> oram.read(0, 3, whole)).hasMessageContaining("injected");
      assertThat(whole.position()).isEqualTo(3);
      oram.read(0, 3, whole);
      assertThat(whole.position()).isEqualTo(3 + 3 * BLOCK_BYTES);
      assertThat(whole.slice(3, 3 * BLOCK_BYTES)).isEqualTo(found);
      assertThat(found.slice(300, 1200)).isEqualTo(buffer);
      assertThat(found.slice(0, 300)).isEqualTo(ByteBuffer.allocate(300));
      assertThat(found.slice(1500, 36)).isEqualTo(ByteBuffer.allocate(36));
    }
  }
}
