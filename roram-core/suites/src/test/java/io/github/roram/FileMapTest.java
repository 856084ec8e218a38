package io.github.roram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A position map in a file of the client's: room to work in, while checkpoint and journal count.
 */
class FileMapTest {

  private static final int BLOCKS = 3000;
  private static final int BLOCK_BYTES = 512;
  private static final int LONGEST = 16;

  @TempDir Path directory;
  private final byte[] model = new byte[BLOCKS * BLOCK_BYTES];

  private static OramConfig config(String scheme) {
    return OramConfig.builder(BLOCKS)
        .scheme(scheme)
        .blockBytes(BLOCK_BYTES)
        .maxRangeBlocks(LONGEST)
        .treetopBytes(1 << 14)
        .positionMap("file")
        .build();
  }

  private OpenOptions options() {
    return OpenOptions.defaults()
        .withDurability(Durability.OS)
        .withCheckpointBytes(1 << 17)
        .withBackgroundCheckpoints(false) // none goes on after a "crash"
        .withThreads(1)
        .withMapDirectory(directory);
  }

  @ParameterizedTest
  @ValueSource(strings = {"roram", "path-batched"})
  void closedLostOrKilledTheMapIsWhatWasSaved(String scheme) throws IOException {
    OramConfig config = config(scheme);
    Random random = new Random(5);
    try (BlockStore store = new MemoryStore(Orams.storeBytes(config));
        MasterKey key = MasterKey.generate()) {
      ClientVault vault = ClientVault.inMemory();
      Oram oram = Orams.create(store, vault, config, key, options());
      for (int round = 0; round < 4; round++) {
        use(oram, random);
        // Nothing is left that a crash could leave behind, and nothing to be found.
        assertThat(files()).isEmpty();
        if (round % 2 == 0) {
          oram.close();
        } // else it is as after a crash: what it held is forgotten
        oram = Orams.open(store, vault, key, options());
        assertThat(oram.recovery().clean()).isEqualTo(round % 2 == 0);
        assertThat(oram.verify((done, all) -> {}).findings()).isEmpty();
      }
      assertThat(oram.clientMemory().bytes("labels")).isZero();
      oram.close();
    }
  }

  /** Its room was taken when it was made: who writes to memory learns of no failure. */
  @ParameterizedTest
  @ValueSource(strings = {"roram", "ring"})
  void aDiskThatFillsUpMeanwhileIsOfNoMatter(String scheme) throws Exception {
    assumeThat(run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", directory)).isZero();
    OramConfig.Builder builder = OramConfig.builder(BLOCKS).scheme(scheme);
    OramConfig config =
        builder
            .blockBytes(BLOCK_BYTES)
            .maxRangeBlocks(LONGEST)
            .set("treetop" + (scheme.equals("ring") ? "Levels" : "Bytes"), 0)
            .positionMap("file")
            .build();
    try (BlockStore store = new MemoryStore(Orams.storeBytes(config));
        MasterKey key = MasterKey.generate()) {
      ClientVault vault = ClientVault.inMemory();
      OpenOptions inMemory = options().withCheckpointBytes(1 << 30);
      Orams.create(store, vault, config, key, inMemory).close();
      Oram oram = Orams.open(store, vault, key, inMemory);
      fillUp();
      use(oram, new Random(6));
      run("umount", "-l", directory);
      try (Oram after = Orams.open(store, vault, key, options())) {
        assertThat(after.read(0, LONGEST))
            .isEqualTo(ByteBuffer.wrap(model, 0, after.config().blockBytes() * LONGEST));
        use(after, new Random(7));
      }
      oram.close();
    } finally {
      run("umount", "-l", directory);
    }
  }

  private void fillUp() {
    try (OutputStream filler = Files.newOutputStream(directory.resolve("filler"))) {
      while (true) {
        filler.write(new byte[1 << 12]);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }

  private static int run(Object... command) throws InterruptedException {
    try {
      List<String> words = Stream.of(command).map(Object::toString).toList();
      return new ProcessBuilder(words).start().waitFor();
    } catch (IOException e) {
      return -1; // there is no such program
    }
  }

  private Stream<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList().stream();
    }
  }

  private void use(Oram oram, Random random) throws IOException {
    byte[] bytes = new byte[LONGEST * BLOCK_BYTES];
    for (int access = 0; access < 120; access++) {
      int count = 1 + random.nextInt(LONGEST);
      int first = random.nextInt(BLOCKS - count + 1);
      ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, count * BLOCK_BYTES);
      if (random.nextBoolean()) {
        random.nextBytes(bytes);
        System.arraycopy(bytes, 0, model, first * BLOCK_BYTES, count * BLOCK_BYTES);
        oram.write(first, buffer);
      } else {
        oram.read(first, count, buffer);
        assertThat(ByteBuffer.wrap(bytes, 0, count * BLOCK_BYTES))
            .isEqualTo(ByteBuffer.wrap(model, first * BLOCK_BYTES, count * BLOCK_BYTES));
      }
    }
  }

  @Test
  void withoutADirectoryAStoreIsNeitherMadeNorOpened() throws IOException {
    OramConfig config = config("roram");
    ClientVault vault = ClientVault.inMemory();
    try (BlockStore store = new MemoryStore(Orams.storeBytes(config));
        MasterKey key = MasterKey.generate()) {
      assertThatThrownBy(() -> Orams.create(store, vault, config, key))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("--map-directory");
      Orams.create(store, vault, config, key, options()).close();
      assertThatThrownBy(() -> Orams.open(store, vault, key))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("--map-directory");
      OpenOptions nowhere = options().withMapDirectory(directory.resolve("missing"));
      assertThatThrownBy(() -> Orams.open(store, vault, key, nowhere))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("missing");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "sub"})
  void aDirectoryWithinTheStoreIsRefused(String within) throws IOException {
    OramConfig config = config("roram");
    Path place = directory.resolve("store");
    try (OpenedStore opened =
            Stores.create("file:" + place, Orams.storeBytes(config), StoreOptions.defaults());
        MasterKey key = MasterKey.generate()) {
      Path beside = Files.createDirectories(place.resolve(within));
      Path alias = directory.resolve("alias");
      Files.createSymbolicLink(alias, beside);
      for (Path named : new Path[] {beside, alias}) {
        OpenOptions options = options().withMapDirectory(named);
        assertThatThrownBy(() -> Orams.create(opened.store(), opened.vault(), config, key, options))
            .isInstanceOf(ConfigurationException.class)
            .hasMessageContaining("part of the store");
      }
      Orams.create(opened.store(), opened.vault(), config, key, options()).close();
    }
  }
}
