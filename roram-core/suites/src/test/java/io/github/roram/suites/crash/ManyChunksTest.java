package io.github.roram.suites.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.HeldVault;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.UnitSource;
import io.github.roram.testkit.Batches;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One access owes more evictions than buckets are kept for: its chunks share no commit then, and a
 * client that dies after any of them finds the versions that recovery needs.
 */
final class ManyChunksTest {

  private static final int BLOCKS = 64;
  private static final int RANGE = 32;

  private int deaths;

  /** The client dies after each write: what is there is opened by another one. */
  private final class Deaths extends FilterBlockStore {
    private final HeldVault vault;
    private final MasterKey key;
    private boolean begun;

    Deaths(BlockStore delegate, HeldVault vault, MasterKey key) {
      super(delegate);
      this.vault = vault;
      this.key = key;
    }

    @Override
    public void write(ExtentBatch batch, UnitSource source) throws IOException {
      delegate.write(batch, source);
      if (begun) {
        deaths++;
        assertFilled();
      }
    }

    private void assertFilled() throws IOException {
      int bytes = (int) capacityBytes();
      BlockStore copy = new MemoryStore(bytes);
      ExtentBatch all = Batches.of(bytes, 0, 1);
      Batches.write(copy, all, Batches.read(delegate, all));
      for (byte[] watermark : watermarks()) {
        copy.keepWatermark(watermark, true);
      }
      try (Oram oram = Orams.open(copy, vault.withoutLog("none"), key)) {
        for (int first = 0; first < BLOCKS; first += RANGE) {
          assertThat(oram.read(first, RANGE)).isEqualTo(content(first));
        }
      } catch (IOException | OramException e) {
        // As it is, the client that is under way would take it for its own store's failure.
        throw new AssertionError("not to be opened after write " + deaths, e);
      }
    }
  }

  private static ByteBuffer content(int first) {
    return ByteBuffer.wrap(Batches.noise(RANGE * 512, first));
  }

  @ParameterizedTest
  @ValueSource(strings = {"roram", "path-batched"})
  void deathsBetweenThemLoseNothing(String scheme) throws IOException {
    OramConfig.Builder builder =
        OramConfig.builder(BLOCKS).scheme(scheme).blockBytes(512).maxRangeBlocks(RANGE);
    builder.treetopBytes(0).chunkPaths(1).windowBlocks(0);
    OramConfig config =
        scheme.equals("roram") ? builder.sizeClasses(0, 5).build() : builder.build();
    HeldVault vault = new HeldVault();
    try (MasterKey key = MasterKey.generate()) {
      Deaths store = new Deaths(new MemoryStore(Orams.storeBytes(config)), vault, key);
      try (Oram oram = Orams.create(store, vault, config, key)) {
        for (int first = 0; first < BLOCKS; first += RANGE) {
          oram.write(first, content(first));
        }
        store.begun = true;
        oram.read(0, RANGE);
        store.begun = false;
      }
    }
    assertThat(deaths).as("chunks").isGreaterThan(4);
  }
}
