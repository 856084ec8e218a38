package io.github.roram.storage.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.link.LinkTime.RealTime;
import io.github.roram.storage.link.LinkTime.VirtualTime;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.AsyncBlockStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.testkit.AsyncBlockStoreContract;
import io.github.roram.testkit.BlockStoreContract;
import io.github.roram.testkit.ModelledOram;
import io.github.roram.testkit.TestOrams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A store at the end of a line: a store as others are, and as late as the line is slow. */
class SimulatedLinkStoreTest {

  private static final long MS = 1_000_000;
  private static final int HEAD_BYTES = 28;
  private static final Link SLOW = new Link(12 * MS, 1_000_000, 1_000_000);

  @Nested
  final class InVirtualTime extends BlockStoreContract {
    @Override
    protected BlockStore newStore() {
      return new SimulatedLinkStore(new MemoryStore(CAPACITY_BYTES), SLOW, new VirtualTime());
    }
  }

  @Nested
  final class InRealTime extends AsyncBlockStoreContract {
    private final RealTime time = new RealTime();
    private final BlockStore store =
        new SimulatedLinkStore(
            new MemoryStore(CAPACITY_BYTES), new Link(MS / 10, 1 << 30, 1 << 30), time);

    @Override
    protected AsyncBlockStore newStore(int requests) {
      return store.async(requests);
    }

    @Override
    protected void closeBelow() throws IOException {
      store.close();
      time.close();
    }
  }

  private static ExtentBatch batch(long offset, int units) {
    ExtentBatch batch = new ExtentBatch().reset(IoPhase.META, ExtentBatch.NO_TREE, 1000);
    batch.add(offset, units);
    return batch;
  }

  @Test
  void aRequestTakesTheTimeOfItsBytesAndARoundTrip() throws IOException {
    VirtualTime time = new VirtualTime();
    try (BlockStore store = new SimulatedLinkStore(new MemoryStore(1 << 20), SLOW, time)) {
      store.write(batch(0, 100), (first, units) -> units.put(new byte[units.remaining()]));
      // A microsecond a byte: its extent, its bytes, the answer.
      long write = (HEAD_BYTES + 12 + 100_000 + HEAD_BYTES + HEAD_BYTES) * 1000L;
      assertThat(time.nanoTime()).isEqualTo(12 * MS + write);
      store.read(batch(0, 100), (first, units) -> {});
      long read = (HEAD_BYTES + 12 + 100_000 + HEAD_BYTES) * 1000L;
      assertThat(time.nanoTime()).isEqualTo(24 * MS + write + read);
      store.sync();
      assertThat(time.nanoTime()).isEqualTo(36 * MS + write + read + 2 * HEAD_BYTES * 1000L);
    }
  }

  /** Ten reads at once share the bandwidth, and wait for one round trip together. */
  @Test
  void requestsThatOverlapWaitTogether() throws IOException {
    VirtualTime time = new VirtualTime();
    List<Long> ends = new ArrayList<>();
    try (BlockStore store = new SimulatedLinkStore(new MemoryStore(1 << 20), SLOW, time);
        AsyncBlockStore async = store.async(10)) {
      List<CompletableFuture<Void>> reads = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        reads.add(
            async.read(batch(0, 2), (first, units) -> {}).thenRun(() -> ends.add(time.nanoTime())));
      }
      reads.forEach(time::await);
    }
    // The line back is never idle: what follows an answer is there before nine others have come.
    long answer = (2000 + HEAD_BYTES) * 1000L;
    long asking = (HEAD_BYTES + 12) * 1000L;
    for (int i = 0; i < 20; i++) {
      assertThat(ends.get(i)).isEqualTo(12 * MS + asking + (i + 1) * answer);
    }
  }

  /** What takes a second on such a line is over at once, and takes the same time each time. */
  @Test
  void accessesOfAnOramTakeTheSameVirtualTimeWheneverTheyAreRepeated() throws IOException {
    long first = timeOfAccesses(true);
    assertThat(first).isGreaterThan(20 * 12 * MS);
    assertThat(timeOfAccesses(true)).isEqualTo(first);
    assertThat(timeOfAccesses(false)).isEqualTo(first);
  }

  private static long timeOfAccesses(boolean reads) throws IOException {
    OramConfig config =
        OramConfig.builder(200).scheme("path-batched").blockBytes(512).treetopBytes(0).build();
    VirtualTime time = new VirtualTime();
    OpenOptions oneThread = OpenOptions.defaults().withThreads(1);
    try (MasterKey key = MasterKey.generate();
        BlockStore store =
            new SimulatedLinkStore(new MemoryStore(Orams.storeBytes(config)), SLOW, time);
        Oram oram =
            TestOrams.create(
                store,
                ClientVault.inMemory(),
                config,
                key,
                oneThread,
                ModelledOram.seededLabels(3))) {
      for (int i = 0; i < 20; i++) {
        if (reads) {
          oram.read(i, 1);
        } else {
          oram.write(i, ByteBuffer.allocate(512));
        }
      }
      return time.nanoTime();
    }
  }
}
