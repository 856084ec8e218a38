package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.github.roram.IntegrityException;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.HeldVault;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.suites.StoreMap.Level;
import io.github.roram.testkit.ArrayChannel;
import io.github.roram.testkit.FaultyStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A bulk load that failed has left authentic buckets on the store, of evictions that are then done
 * anew. They must not pass for the new ones.
 */
final class FailedBulkLoadTest {

  private static final int BLOCKS = 64;
  private static final int BLOCK_BYTES = 512;
  private static final int RANGE = 4;

  /** Evictions of a tree that a bulk load does at once. */
  private static final int LEAVES = 16;

  /** Blocks that make a tree do as many: three an eviction. */
  private static final int WRITTEN = 3 * LEAVES;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void itsBucketsAreRefusedEverAfter(boolean reopened) throws IOException {
    OramConfig config =
        OramConfig.builder(BLOCKS)
            .blockBytes(BLOCK_BYTES)
            .maxRangeBlocks(RANGE)
            .sizeClasses(0, 2)
            .chunkPaths(4)
            .windowBlocks(0)
            .treetopBytes(0)
            .build();
    int bytes = (int) Orams.storeBytes(config);
    FaultyStore store = new FaultyStore(new MemoryStore(bytes));
    HeldVault vault = new HeldVault();
    try (MasterKey key = MasterKey.generate()) {
      Oram oram = Orams.create(store, vault, config, key);
      StoreMap map = new StoreMap(config, oram.stats());
      Level leaves = map.levels().get(map.height(0));
      store.failNthWrite(map.levels().size());
      byte[] old = new byte[BLOCKS * BLOCK_BYTES];
      Arrays.fill(old, (byte) 1);
      assertThatThrownBy(() -> oram.bulkLoad(new ArrayChannel(old), old.length, moved -> {}))
          .hasMessageContaining("injected");
      int leafBytes = (int) leaves.places() * leaves.bucketBytes();
      byte[] oldLeaves = store.snapshot(leaves.offset(), leafBytes);

      // Written as ranges, single blocks keep the labels that the bulk load gave them.
      byte[] range = new byte[RANGE * BLOCK_BYTES];
      Arrays.fill(range, (byte) 2);
      for (int block = 0; block < WRITTEN; block += RANGE) {
        oram.write(block, ByteBuffer.wrap(range));
      }
      assertThat(oram.stats().trees().get(0).evictions()).isEqualTo(LEAVES);
      Oram used = oram;
      if (reopened) {
        oram.close();
        used = Orams.open(store, vault, key);
      }
      store.restore(leaves.offset(), oldLeaves);
      for (int block = 0; block < WRITTEN; block++) {
        try {
          byte[] found = new byte[BLOCK_BYTES];
          used.read(block, 1).get(found);
          assertThat(found).containsOnly((byte) 2);
        } catch (IntegrityException e) {
          assertThat(e).hasMessageContaining("a write that failed");
          return;
        }
      }
      fail("the old buckets were not found out");
    }
  }
}
