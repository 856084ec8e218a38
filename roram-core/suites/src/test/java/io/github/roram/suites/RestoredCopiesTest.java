package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.HeldVault;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.testkit.FaultyStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Store and client state restored from copies made together, as the messages advise, begin a second
 * life from the same point. Its buckets have the numbers of the first life's, which the server may
 * have kept: no key and nonce may seal both.
 */
final class RestoredCopiesTest {

  private static final int BLOCKS = 60;

  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram", "tao"})
  void aSecondLifeHasKeysOfItsOwn(String scheme) throws IOException {
    OramConfig config =
        OramConfig.builder(BLOCKS)
            .scheme(scheme)
            .blockBytes(512)
            .maxRangeBlocks(4)
            .treetopBytes(0)
            .chunkPaths(4)
            .windowBlocks(0)
            .build();
    FaultyStore store = new FaultyStore(new MemoryStore(Orams.storeBytes(config)));
    NonceWatch watch = new NonceWatch(store);
    HeldVault vault = new HeldVault();
    try (MasterKey key = MasterKey.generate()) {
      Orams.create(watch, vault, config, key).close();
      write(watch, vault, key, 1);
      byte[] storeCopy = store.snapshot(0, (int) store.capacityBytes());
      byte[] watermark = store.watermarks().get(0);
      Map<String, byte[]> vaultCopy = vault.snapshot();
      for (int life = 2; life < 5; life++) {
        write(watch, vault, key, life);
        store.restore(0, storeCopy);
        store.keepWatermark(watermark, true);
        vault.restore(vaultCopy);
        watch.startOver();
        assertFilledWith(watch, vault, key, 1);
        store.restore(0, storeCopy);
        store.keepWatermark(watermark, true);
        vault.restore(vaultCopy);
        watch.startOver();
      }
    }
  }

  private static void write(NonceWatch store, HeldVault vault, MasterKey key, int value)
      throws IOException {
    try (Oram oram = Orams.open(store, vault, key)) {
      byte[] content = new byte[4 * 512];
      Arrays.fill(content, (byte) value);
      for (int block = 0; block < BLOCKS; block += 4) {
        oram.write(block, ByteBuffer.wrap(content));
      }
    }
  }

  private static void assertFilledWith(NonceWatch store, HeldVault vault, MasterKey key, int value)
      throws IOException {
    try (Oram oram = Orams.open(store, vault, key)) {
      for (int block = 0; block < BLOCKS; block += 4) {
        assertThat(oram.read(block, 4).array()).containsOnly((byte) value);
      }
    }
  }
}
