package io.github.roram.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.OverlapStats;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.session.AsyncView;
import io.github.roram.session.StoreOpening;
import io.github.roram.store.ClientVault;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is told of accesses under way. */
final class OverlapStatsTest {

  private static final int BLOCK_BYTES = 512;

  @Test
  void whatIsUnderWayIsTold() throws IOException {
    OramConfig config =
        OramConfig.builder(100)
            .blockBytes(BLOCK_BYTES)
            .maxRangeBlocks(1)
            .set("evictionRate", 1)
            .chunkPaths(4)
            .windowBlocks(4)
            .treetopBytes(0)
            .build();
    OpenOptions options = OpenOptions.defaults().withDurability(Durability.OS).withInFlight(8);
    HeldStore store = new HeldStore(Orams.storeBytes(config));
    try (MasterKey key = MasterKey.generate()) {
      AsyncView oram =
          new AsyncView(
              new StoreOpening(store, ClientVault.inMemory(), key, LabelSource.secure())
                  .create(config, options));
      assertThat(oram.overlapStats()).isEqualTo(OverlapStats.NONE);
      store.hold(IoPhase.READ);
      List<CompletableFuture<Void>> calls =
          Stream.of(1, 1, 2, 1)
              .map(block -> oram.read(block, 1, ByteBuffer.allocate(BLOCK_BYTES)))
              .toList();
      assertThat(oram.overlapStats()).isEqualTo(new OverlapStats(4, 0, 0, 2, 0));
      // Nothing is there that an eviction would read.
      store.hold(IoPhase.EVICT_WRITE);
      store.take(IoPhase.READ).forEach(HeldStore.Held::letThrough);
      calls.forEach(CompletableFuture::join);
      assertThat(oram.overlapStats()).isEqualTo(new OverlapStats(0, 4, 4, 2, 0));
      store.letAllThrough();
      oram.close();
    }
  }
}
