package io.github.roram;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Stale copies that are known by tombstones alone. Trees have so few labels that a block soon gets
 * one that it had before: then a copy, its tombstone, a newer copy and older ones are on one path.
 */
final class TombstonesTest {

  private static final int BLOCK_BYTES = 512;

  @TempDir Path directory;
  private static final int ACCESSES = 600;
  private static final int VERIFIED_EVERY = 40;

  static Stream<OramConfig> configurations() {
    return Stream.of(
        builder(20, "roram").trees(0, 2).chunkPaths(1).windowBlocks(0).build(),
        builder(40, "roram").trees(0).evictionRate(3.5).chunkPaths(3).windowBlocks(8).build(),
        builder(64, "roram")
            .trees(0, 3)
            .treetopBytes(40 * BLOCK_BYTES)
            .chunkPaths(1)
            .windowBlocks(0)
            .build(),
        builder(40, "roram").preset(Preset.PAPER).sizeClasses(0, 3).build(),
        builder(40, "roram").trees(0, 2).writeShare(0.1).chunkPaths(2).build(),
        builder(50, "path-batched").preset(Preset.PROVEN).chunkPaths(2).windowBlocks(0).build());
  }

  private static OramConfig.Builder builder(int blocks, String scheme) {
    return OramConfig.builder(blocks)
        .scheme(scheme)
        .blockBytes(BLOCK_BYTES)
        .maxRangeBlocks(8)
        .treetopBytes(0)
        .positionMap("recursive")
        .set("blocksPerMapBlock", 4)
        .set("clientLabels", 2);
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void copiesOfEveryAgeAreToldApart(OramConfig config) throws IOException {
    Random random = new Random(9);
    HeapStore store = new HeapStore(Orams.storeBytes(config));
    ClientVault vault = ClientVault.inMemory();
    byte[] model = new byte[(int) config.bytes()];
    try (MasterKey key = MasterKey.generate()) {
      Oram oram = Orams.create(store, vault, config, key);
      for (int access = 1; access <= ACCESSES; access++) {
        access(oram, model, random);
        if (access % VERIFIED_EVERY == 0) {
          assertThat(oram.verify((done, total) -> {}).findings()).isEmpty();
          assertThat(scanned(oram)).isEqualTo(model);
        }
        if (access % (3 * VERIFIED_EVERY) == 0) {
          oram.close();
          oram = Orams.open(store, vault, key);
        }
      }
      assertThat(oram.stats().stashMaxBlocks()).isLessThan(40);
      oram.close();
    }
  }

  /** One label, or two: a tombstone that nobody made would as likely as not be for block 0. */
  @ParameterizedTest
  @ValueSource(ints = {4, 8})
  void aBulkLoadLeavesNone(int blocks) throws IOException {
    OramConfig config = builder(blocks, "roram").maxRangeBlocks(2).windowBlocks(0).build();
    byte[] model = new byte[(int) config.bytes()];
    new Random(4).nextBytes(model);
    HeapStore store = new HeapStore(Orams.storeBytes(config));
    try (MasterKey key = MasterKey.generate();
        Oram oram = Orams.create(store, ClientVault.inMemory(), config, key);
        FileChannel source = FileChannel.open(Files.write(directory.resolve("data"), model))) {
      oram.bulkLoad(source, 1 << 20, loaded -> {});
      assertThat(scanned(oram)).isEqualTo(model);
      for (int access = 0; access < 8 * blocks; access++) {
        oram.read(1 + access % (blocks - 1), 1);
        assertThat(oram.verify((done, total) -> {}).findings()).isEmpty();
      }
      assertThat(scanned(oram)).isEqualTo(model);
    }
  }

  private static void access(Oram oram, byte[] model, Random random) throws IOException {
    OramConfig config = oram.config();
    int count = 1 + random.nextInt(config.maxRangeBlocks());
    int block = random.nextInt((int) config.blocks() - count + 1);
    int from = block * BLOCK_BYTES;
    if (random.nextBoolean()) {
      byte[] data = new byte[count * BLOCK_BYTES];
      random.nextBytes(data);
      oram.write(block, ByteBuffer.wrap(data));
      System.arraycopy(data, 0, model, from, data.length);
    } else {
      ByteBuffer expected = ByteBuffer.wrap(model, from, count * BLOCK_BYTES);
      assertThat(oram.read(block, count)).isEqualTo(expected);
    }
  }

  private static byte[] scanned(Oram oram) throws IOException {
    byte[] all = new byte[(int) oram.config().bytes()];
    oram.scan((block, data) -> data.get(all, (int) block * BLOCK_BYTES, BLOCK_BYTES));
    return all;
  }

  /** What the client holds of maps grows with its treetop, and not with the store. */
  @Test
  void memoryDoesNotGrowWithTheStore() {
    long before = 0;
    for (int exponent : new int[] {22, 26, 30}) {
      OramConfig config =
          OramConfig.builder(1L << exponent)
              .maxRangeBlocks(1 << 8)
              .positionMap("recursive")
              .build();
      long bytes =
          Scheme.of(config.scheme())
              .clientMemory(config, OpenOptions.defaults())
              .orElseThrow()
              .items()
              .stream()
              .filter(item -> item.name().matches("labels|bits of slots|tombstones"))
              .mapToLong(ClientMemory.Item::bytes)
              .sum();
      assertThat(bytes).isLessThan(256 << 10);
      assertThat(before == 0 || bytes < before * 1.2).isTrue();
      before = bytes;
    }
  }
}
