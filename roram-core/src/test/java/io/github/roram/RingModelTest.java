package io.github.roram;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSink;
import io.github.roram.store.XorGroups;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The ring against a plain array: reopened, and dropped without being closed, on the way; in group
 * {@code gate} for longer.
 */
class RingModelTest {

  @TempDir private static Path directory;

  private static final int BLOCK_BYTES = 512;

  /** Each fan-out, trees of one to five stored levels, and the parameters that are chosen. */
  static Stream<Arguments> configurations() {
    return Stream.of(
        Arguments.of(ring(1500, 4, 2, 8, 4), Durability.NONE),
        Arguments.of(ring(1500, 4, 4, 8, 2), Durability.SYNC),
        Arguments.of(ring(1500, 4, 2, 8, 0), Durability.FLUSH),
        Arguments.of(ring(1500, 9, 4, 6, 0), Durability.OS),
        Arguments.of(ring(1500, 21, 4, 4, 2), Durability.SYNC),
        Arguments.of(ring(700, 21, 2, 3, 3), Durability.FLUSH),
        Arguments.of(
            ring(1500, 9, 2, 6, 2).toBuilder().positionMap("file").build(), Durability.FLUSH),
        Arguments.of(
            ring(1500, 9, 4, 6, 2).toBuilder().set("evictionReads", "buckets").build(),
            Durability.SYNC),
        Arguments.of(builder(1500).build(), Durability.SYNC),
        Arguments.of(builder(100).build(), Durability.SYNC),
        Arguments.of(builder(3).maxRangeBlocks(3).build(), Durability.SYNC),
        Arguments.of(builder(1).maxRangeBlocks(1).build(), Durability.SYNC));
  }

  static OramConfig.Builder builder(int blocks) {
    return OramConfig.builder(blocks).scheme("ring").blockBytes(BLOCK_BYTES).maxRangeBlocks(16);
  }

  static OramConfig ring(int blocks, int rate, int fanOut, int height, int top) {
    return builder(blocks)
        .set("evictionBlocks", rate)
        .set("fanOut", fanOut)
        .set("height", height)
        .set("treetopLevels", top)
        .build();
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void answersLikeAPlainArray(OramConfig config, Durability durability) throws IOException {
    answersLikeAPlainArray(config, durability, new HeapStore(Orams.storeBytes(config)), 350);
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void answersLikeAPlainArrayByXor(OramConfig config, Durability durability) throws IOException {
    answersByXor(config, durability, 350);
  }

  @Tag("gate")
  @ParameterizedTest
  @MethodSource("configurations")
  void answersLikeAPlainArrayByXorForLonger(OramConfig config, Durability durability)
      throws IOException {
    answersByXor(config, durability, 1200);
  }

  private void answersByXor(OramConfig config, Durability durability, int accesses)
      throws IOException {
    int[] reads = {0};
    HeapStore store =
        new HeapStore(Orams.storeBytes(config)) {
          @Override
          public boolean computesXor() {
            return true;
          }

          @Override
          public void readXor(ExtentBatch batch, XorGroups groups, UnitSink results)
              throws IOException {
            reads[0]++;
            super.readXor(batch, groups, results);
          }
        };
    answersLikeAPlainArray(config, durability, store, accesses);
    assertThat(reads[0]).isGreaterThan(config.blocks() < 1000 ? -1 : accesses * 2 / 5);
  }

  private void answersLikeAPlainArray(
      OramConfig config, Durability durability, HeapStore store, int accesses) throws IOException {
    Random random = new Random(7 + config.toString().hashCode());
    OpenOptions options =
        OpenOptions.defaults()
            .withTrims(true)
            .withMapDirectory(directory)
            .withDurability(durability)
            .withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES);
    try (MasterKey key = MasterKey.generate()) {
      ClientVault medium = ClientVault.inMemory();
      ProcessVault vault = new ProcessVault(medium);
      byte[] model = new byte[(int) config.bytes()];
      Oram oram = Orams.create(store, vault, config, key, options);
      if (random.nextBoolean()) {
        random.nextBytes(model);
        Path file = Files.write(directory.resolve("source"), model);
        try (SeekableByteChannel source = Files.newByteChannel(file)) {
          oram.bulkLoad(source, 1 << 14, bytes -> {});
        }
      }
      boolean trimmed = false;
      for (int i = 0; i < accesses; i++) {
        int fate = random.nextInt(80);
        if (fate == 0) {
          oram.close();
        }
        if (fate == 0 || (fate == 1 && !trimmed && durability != Durability.NONE)) {
          vault.die();
          vault = new ProcessVault(medium);
          oram = Orams.open(store, vault, key, options);
        }
        if (fate == 2) {
          assertThat(oram.verify((done, total) -> {}).findings()).isEmpty();
        }
        int count = 1 + random.nextInt(config.maxRangeBlocks());
        int block = (int) random.nextLong(config.blocks() - count + 1);
        int from = block * BLOCK_BYTES;
        // A trim is recorded with the access after it.
        trimmed = random.nextInt(20) == 0;
        if (trimmed) {
          oram.trim(block, count);
          Arrays.fill(model, from, from + count * BLOCK_BYTES, (byte) 0);
        } else if (random.nextInt(4) == 0) {
          int skip = random.nextInt(BLOCK_BYTES);
          byte[] data = new byte[1 + random.nextInt(count * BLOCK_BYTES - skip)];
          random.nextBytes(data);
          oram.update(from + skip, ByteBuffer.wrap(data));
          System.arraycopy(data, 0, model, from + skip, data.length);
        } else if (random.nextBoolean()) {
          byte[] data = new byte[count * BLOCK_BYTES];
          random.nextBytes(data);
          oram.write(block, ByteBuffer.wrap(data));
          System.arraycopy(data, 0, model, from, data.length);
        } else {
          assertThat(oram.read(block, count))
              .isEqualTo(ByteBuffer.wrap(model, from, count * BLOCK_BYTES));
        }
      }
      byte[] scanned = new byte[model.length];
      oram.scan((address, data) -> data.get(scanned, (int) address * BLOCK_BYTES, BLOCK_BYTES));
      assertThat(scanned).isEqualTo(model);
      assertThat(oram.verify((done, total) -> {}).findings()).isEmpty();
      oram.close();
      assertThat(vault.logs()).isEmpty();
    }
  }
}
