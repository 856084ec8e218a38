package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.AsyncOram;
import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.Rings;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.testkit.RecordingStore;
import io.github.roram.testkit.RecordingStore.Request;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks that are trimmed, and accesses that look like longer ones. */
final class TrimTest {

  private static final int BLOCKS = 100;
  private static final int BLOCK_BYTES = 512;
  private static final int RANGE = 8;

  private static OramConfig config(String scheme) {
    if ("ring".equals(scheme)) {
      return Rings.small(BLOCKS, BLOCK_BYTES, RANGE);
    }
    return OramConfig.builder(BLOCKS)
        .scheme(scheme)
        .blockBytes(BLOCK_BYTES)
        .maxRangeBlocks(RANGE)
        .treetopBytes(0)
        .build();
  }

  private static OpenOptions options(String scheme) {
    return OpenOptions.defaults()
        .withDurability(scheme.equals("path") ? Durability.NONE : Durability.FLUSH)
        .withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES)
        .withTrims(true);
  }

  /** Any accesses, trims and openings, against an array. */
  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram", "tao", "ring"})
  void trimmedBlocksAreZerosUntilTheyAreWritten(String scheme) throws IOException {
    Random random = new Random(11);
    byte[] model = new byte[BLOCKS * BLOCK_BYTES];
    try (BlockStore store = TestStores.create(Orams.storeBytes(config(scheme)));
        MasterKey key = MasterKey.generate()) {
      ClientVault vault = ClientVault.inMemory();
      Oram oram = Orams.create(store, vault, config(scheme), key, options(scheme));
      for (int step = 0; step < 150; step++) {
        int bytes = 1 + random.nextInt((RANGE - 1) * BLOCK_BYTES);
        int offset = random.nextInt(model.length - bytes + 1);
        int least = 1 + random.nextInt(RANGE);
        switch (random.nextInt(8)) {
          case 0, 1, 2 -> {
            byte[] content = new byte[bytes];
            random.nextBytes(content);
            System.arraycopy(content, 0, model, offset, bytes);
            oram.updateBytes(offset, least, ByteBuffer.wrap(content));
          }
          case 3, 4 -> {
            int first = random.nextInt(BLOCKS);
            int count = 1 + random.nextInt(BLOCKS - first);
            if (oram.trim(first, count)) {
              Arrays.fill(model, first * BLOCK_BYTES, (first + count) * BLOCK_BYTES, (byte) 0);
            }
          }
          case 5 -> {
            if (random.nextInt(5) == 0) {
              oram.close();
              oram = Orams.open(store, vault, key, options(scheme));
            }
          }
          default -> {
            byte[] found = new byte[bytes];
            oram.readBytes(offset, least, ByteBuffer.wrap(found));
            assertThat(found)
                .as("step %d", step)
                .isEqualTo(Arrays.copyOfRange(model, offset, offset + bytes));
          }
        }
      }
      assertThat(scanned(oram)).isEqualTo(model);
      oram.close();
    }
  }

  @Test
  void aQueueTrimsInTheOrderOfTheCalls() throws IOException {
    try (BlockStore store = TestStores.create(Orams.storeBytes(config("path")));
        MasterKey key = MasterKey.generate();
        AsyncOram oram =
            Orams.async(
                Orams.create(store, ClientVault.inMemory(), config("path"), key, options("path")),
                4)) {
      byte[] ones = new byte[2 * BLOCK_BYTES];
      Arrays.fill(ones, (byte) 1);
      byte[] found = ones.clone();
      CompletableFuture<Void> unused = oram.write(7, ByteBuffer.wrap(ones));
      CompletableFuture<Boolean> trimmed = oram.trim(8, 1);
      oram.read(7, 2, ByteBuffer.wrap(found)).join();
      assertThat(trimmed).isCompletedWithValue(true);
      Arrays.fill(ones, BLOCK_BYTES, 2 * BLOCK_BYTES, (byte) 0);
      assertThat(found).isEqualTo(ones);
      assertThatThrownBy(() -> oram.trim(99, 2)).isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  private static byte[] scanned(Oram oram) throws IOException {
    byte[] all = new byte[BLOCKS * BLOCK_BYTES];
    oram.scan((block, data) -> data.get(all, (int) block * BLOCK_BYTES, BLOCK_BYTES));
    return all;
  }

  /** What store and vault see of a run. */
  private record Seen(List<Request> shapes, List<Integer> vault) {}

  /** The same accesses, with trims between them or none. */
  private static Seen run(Durability durability, boolean trims) throws IOException {
    RecordingVault vault = new RecordingVault(ClientVault.inMemory());
    OpenOptions options =
        options("roram").withDurability(durability).withBackgroundCheckpoints(false).withThreads(1);
    try (BlockStore memory = TestStores.create(Orams.storeBytes(config("roram")));
        RecordingStore store = new RecordingStore(memory);
        MasterKey key = MasterKey.generate();
        Oram oram = Orams.create(store, vault, config("roram"), key, options)) {
      store.clear();
      vault.clear();
      for (int i = 0; i < 150; i++) {
        if (trims && i % 3 != 0) {
          oram.trim(i % 50, 1 + i % 49);
        }
        oram.write(i % BLOCKS, ByteBuffer.allocate(BLOCK_BYTES));
        if (i % 20 == 0) {
          oram.flush();
        }
      }
      return new Seen(List.copyOf(store.requests()), vault.events());
    }
  }

  /** The lengths of all that goes to the vault, checkpoints between; the store's requests. */
  @ParameterizedTest
  @CsvSource({"FLUSH", "SYNC", "OS"})
  void trimsShowNeitherAtTheStoreNorAtTheVault(Durability durability) throws IOException {
    Seen with = run(durability, true);
    Seen without = run(durability, false);
    assertThat(with.vault()).isNotEmpty().isEqualTo(without.vault());
    assertThat(with.shapes().stream().map(TrimTest::shape))
        .isEqualTo(without.shapes().stream().map(TrimTest::shape).toList());
  }

  /** Operation and number of bytes: where they lie is random. */
  private static String shape(Request request) {
    return request.operation() + " " + request.phase();
  }

  /** The queue takes as many calls as a record has room for, whatever they trim. */
  @Test
  void whatWaitsToBeRecordedIsBounded() throws IOException {
    try (BlockStore store = TestStores.create(Orams.storeBytes(config("roram")));
        MasterKey key = MasterKey.generate();
        Oram oram =
            Orams.create(store, ClientVault.inMemory(), config("roram"), key, options("roram"))) {
      oram.write(40, ByteBuffer.wrap(new byte[BLOCK_BYTES]));
      for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 32; i++) {
          assertThat(oram.trim(round, 1)).isTrue();
        }
        assertThat(oram.trim(5, 1)).isFalse();
        oram.flush();
      }
      assertThat(oram.trim(5, 1)).isTrue();
    }
  }

  @Test
  void wrongArgumentsAreRefused() throws IOException {
    OpenOptions without = options("roram").withTrims(false);
    try (BlockStore store = TestStores.create(Orams.storeBytes(config("roram")));
        MasterKey key = MasterKey.generate()) {
      ClientVault vault = ClientVault.inMemory();
      try (Oram oram = Orams.create(store, vault, config("roram"), key, without)) {
        assertThatThrownBy(() -> oram.trim(0, 1))
            .isInstanceOf(ConfigurationException.class)
            .hasMessageContaining("withTrims");
      }
      try (Oram oram = Orams.open(store, vault, key, options("roram"))) {
        assertThatThrownBy(() -> oram.trim(-1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> oram.trim(99, 2))
            .isInstanceOf(IndexOutOfBoundsException.class)
            .hasMessageContaining("2 blocks from 99 on");
        assertThatThrownBy(() -> oram.trim(0, 0)).isInstanceOf(IndexOutOfBoundsException.class);
        ByteBuffer one = ByteBuffer.allocate(1);
        assertThatThrownBy(() -> oram.readBytes(0, 9, one))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("leastBlocks is 9, must be 1 to 8");
        assertThatThrownBy(() -> oram.updateBytes(0, 0, one))
            .isInstanceOf(IllegalArgumentException.class);
      }
    }
  }

  /** An access of few bytes that is to look like one of more asks the store for as much. */
  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram", "tao"})
  void aPaddedAccessLooksLikeALongerOne(String scheme) throws IOException {
    assertThat(bytesMoved(scheme, false, 1, 5)).isEqualTo(bytesMoved(scheme, true, 5, 1));
    assertThat(bytesMoved(scheme, true, 1, 5)).isEqualTo(bytesMoved(scheme, false, 5, 1));
  }

  private static long bytesMoved(String scheme, boolean writes, int blocks, int least)
      throws IOException {
    try (BlockStore memory = TestStores.create(Orams.storeBytes(config(scheme)));
        RecordingStore store = new RecordingStore(memory);
        MasterKey key = MasterKey.generate();
        Oram oram =
            Orams.create(store, ClientVault.inMemory(), config(scheme), key, options(scheme))) {
      store.clear();
      for (int i = 0; i < 40; i++) {
        // Up to the last block: where none lie behind, those before are taken.
        int block = BLOCKS - blocks - i;
        ByteBuffer buffer = ByteBuffer.allocate(blocks * BLOCK_BYTES);
        if (writes) {
          oram.updateBytes((long) block * BLOCK_BYTES, least, buffer);
        } else {
          oram.readBytes((long) block * BLOCK_BYTES, least, buffer);
        }
      }
      return store.requests().size() * 1_000L + oram.stats().blocksAccessed();
    }
  }
}
