package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.netserver.VolumeBacking.MemoryBacking;
import io.github.roram.open.Orams;
import io.github.roram.storage.device.CountingStore;
import io.github.roram.storage.remote.LeaseKeeper;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.storage.remote.RemoteStore;
import io.github.roram.storage.remote.RemoteVolumes;
import io.github.roram.store.ClientVault;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** What an access costs on a network. */
final class RoundTripsTest {

  private static final int BLOCKS = 1 << 9;
  private static final int RANGE_BLOCKS = 64;
  private static final int ACCESSES = 20;

  @Test
  void aReadRangeIsOneRoundTripAndAChunkTwo() throws IOException {
    OramConfig config =
        OramConfig.builder(BLOCKS)
            .blockBytes(4096)
            .maxRangeBlocks(RANGE_BLOCKS)
            .treetopBytes(0)
            .windowBlocks(0)
            .build();
    try (BlockServer server = BlockServer.start(ServerConfig.loopback(0, new MemoryBacking()));
        MasterKey key = MasterKey.generate()) {
      RemoteAddress address =
          new RemoteAddress(false, "127.0.0.1", server.address().getPort(), "volume");
      RemoteVolumes.create(address, Orams.storeBytes(config), RemoteOptions.defaults());
      RemoteStore remote = RemoteStore.open(address, RemoteOptions.defaults(), LeaseKeeper.NONE);
      CountingStore counting = new CountingStore(remote);
      try (counting;
          Oram oram = Orams.create(counting, ClientVault.inMemory(), config, key)) {
        for (int block = 0; block < BLOCKS; block += RANGE_BLOCKS) {
          oram.write(block, ByteBuffer.allocate(RANGE_BLOCKS * 4096)); // fills the trees
        }
        counting.reset();
        long before = remote.counts().roundTrips();
        ByteBuffer range = ByteBuffer.allocate(RANGE_BLOCKS * 4096);
        for (int i = 0; i < ACCESSES; i++) {
          oram.write((long) i * RANGE_BLOCKS % BLOCKS, range.clear());
        }
        long chunks = counting.of(IoPhase.EVICT_WRITE).requests();
        assertThat(counting.of(IoPhase.READ).requests()).isEqualTo(ACCESSES);
        assertThat(counting.of(IoPhase.EVICT_READ).requests()).isEqualTo(chunks);
        assertThat(chunks).isPositive();
        assertThat(counting.of(IoPhase.READ).extents()).isGreaterThan(10L * ACCESSES);
        assertThat(counting.total().bytesRead()).isGreaterThan(50L << 20);
        long syncs = counting.total().syncs();
        assertThat(remote.counts().roundTrips() - before).isEqualTo(ACCESSES + 2 * chunks + syncs);
        assertThat(remote.counts().connections()).isEqualTo(1);
      }
    }
  }
}
