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
import io.github.roram.testkit.Batches;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  /** The server returns the XOR of the slots of a path: bytes of one, and 44 of each other. */
  @Test
  void aReadOfTheRingIsOneRoundTripOfOneBlock() throws IOException {
    OramConfig config = ring(4096);
    try (Served served = new Served(config, ServerLimits.defaults())) {
      served.load();
      long trips = served.remote.counts().roundTrips();
      long bytes = served.remote.counts().bytesRead();
      served.counting.reset();
      for (int i = 0; i < ACCESSES; i++) {
        served.readAndCheck(i * 7 % BLOCKS, 1);
      }
      long reads = served.counting.of(IoPhase.READ).bytesRead();
      long slots = served.counting.of(IoPhase.READ).extents();
      long evictions = served.counting.of(IoPhase.EVICT_READ).requests();
      evictions += served.counting.of(IoPhase.EVICT_WRITE).requests();
      assertThat(slots).isGreaterThan(3L * ACCESSES);
      assertThat(reads).isLessThanOrEqualTo(ACCESSES * 4104L + slots * 44);
      assertThat(reads).isGreaterThanOrEqualTo(ACCESSES * (4104L + 44));
      assertThat(served.remote.counts().roundTrips() - trips)
          .isEqualTo(ACCESSES + evictions + served.counting.total().syncs());
      assertThat(served.remote.counts().bytesRead() - bytes)
          .isEqualTo(served.counting.total().bytesRead());
    }
  }

  /** Requests of few extents, and results longer than a frame, which the client puts together. */
  @ParameterizedTest
  @CsvSource({"512, 4096, 12", "8192, 4096, 65536"})
  void whatAServerDoesNotTakeIsCutOrReadSlotBySlot(int blockBytes, int payload, int extents)
      throws IOException {
    ServerLimits most = ServerLimits.defaults();
    ServerLimits limits =
        new ServerLimits(
            most.maxConnections(),
            payload,
            most.maxRequestBytes(),
            extents,
            most.maxRequests(),
            most.connectionBufferBytes(),
            most.totalBufferBytes(),
            most.reads(),
            most.handshakes(),
            most.volumes());
    try (Served served = new Served(ring(blockBytes), limits)) {
      served.load();
      for (int i = 0; i < ACCESSES; i++) {
        served.readAndCheck(i * 7 % (BLOCKS - 8), 1 + i % 8);
      }
    }
  }

  private static OramConfig ring(int blockBytes) {
    return OramConfig.builder(BLOCKS)
        .scheme("ring")
        .blockBytes(blockBytes)
        .maxRangeBlocks(8)
        .set("evictionBlocks", 9)
        .set("fanOut", 2)
        .set("height", 5)
        .set("treetopLevels", 1)
        .build();
  }

  /** An ORAM on a server of its own. */
  private static final class Served implements Closeable {
    private final int blockBytes;
    private final BlockServer server;
    private final MasterKey key = MasterKey.generate();
    private final RemoteStore remote;
    private final CountingStore counting;
    private final Oram oram;

    Served(OramConfig config, ServerLimits limits) throws IOException {
      blockBytes = config.blockBytes();
      server = BlockServer.start(ServerConfig.loopback(0, new MemoryBacking()).withLimits(limits));
      RemoteAddress address =
          new RemoteAddress(false, "127.0.0.1", server.address().getPort(), "volume");
      RemoteVolumes.create(address, Orams.storeBytes(config), RemoteOptions.defaults());
      RemoteOptions options = RemoteOptions.defaults().withXor(true);
      remote = RemoteStore.open(address, options, LeaseKeeper.NONE);
      counting = new CountingStore(remote);
      oram = Orams.create(counting, ClientVault.inMemory(), config, key);
    }

    private byte[] content(int block) {
      return Batches.noise(blockBytes, block);
    }

    void load() throws IOException {
      for (int block = 0; block < BLOCKS; block++) {
        oram.write(block, ByteBuffer.wrap(content(block)));
      }
    }

    void readAndCheck(int first, int count) throws IOException {
      ByteBuffer read = oram.read(first, count);
      for (int block = first; block < first + count; block++) {
        byte[] bytes = new byte[blockBytes];
        read.get(bytes);
        assertThat(bytes).isEqualTo(content(block));
      }
    }

    @Override
    public void close() throws IOException {
      oram.close();
      counting.close();
      key.close();
      server.close();
    }
  }
}
