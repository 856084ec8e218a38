package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A new store of 16 GB takes next to no disk, and can be used at once up to its last block. */
final class SparseStoreTest {

  private static final int BLOCKS = 1 << 22;
  private static final int RANGE = 256;
  private static final long MOST_KIB = 10 * 1024;

  @TempDir Path parent;

  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram", "tao"})
  void anEmptyStoreTakesNoRoom(String scheme) throws IOException {
    OramConfig config = OramConfig.builder(BLOCKS).scheme(scheme).maxRangeBlocks(RANGE).build();
    String uri = "file:" + parent.resolve("store");
    StoreOptions options = StoreOptions.defaults();
    byte[] content = new byte[4 * config.blockBytes()];
    content[5] = 7;
    try (MasterKey key = MasterKey.generate()) {
      try (OpenedStore opened = Stores.create(uri, Orams.storeBytes(config), options);
          Oram oram = Orams.create(opened.store(), opened.vault(), config, key)) {
        assertThat(allocatedKib()).isLessThan(MOST_KIB);
        oram.write(BLOCKS - 4, ByteBuffer.wrap(content));
        assertThat(oram.read(0, 2).array()).containsOnly((byte) 0);
        assertThat(oram.read(BLOCKS - 4, 4).array()).isEqualTo(content);
      }
      try (OpenedStore opened = Stores.open(uri, options);
          Oram oram = Orams.open(opened.store(), opened.vault(), key)) {
        assertThat(oram.read(BLOCKS - 4, 4).array()).isEqualTo(content);
      }
    }
    Stores.delete(uri);
  }

  /** What the file system says that it has given out; Java has no way to ask. */
  private long allocatedKib() throws IOException {
    Process du;
    try {
      du = new ProcessBuilder("du", "-sk", parent.toString()).redirectErrorStream(true).start();
    } catch (IOException e) {
      return Assumptions.<Long>abort("there is no du here");
    }
    try (InputStream out = du.getInputStream()) {
      String line = new String(out.readAllBytes(), StandardCharsets.UTF_8);
      return Long.parseLong(line.split("\\s", 2)[0]);
    }
  }
}
