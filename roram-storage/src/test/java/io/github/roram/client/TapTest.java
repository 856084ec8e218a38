package io.github.roram.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.AsyncOram;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.UnitSource;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A backup hears of what is about to be overwritten, of whoever writes it. */
final class TapTest {

  private static final OramConfig CONFIG =
      OramConfig.builder(1000)
          .blockBytes(512)
          .maxRangeBlocks(8)
          .trees(0, 3)
          .treetopBytes(0)
          .chunkPaths(8)
          .windowBlocks(0)
          .build();

  /** Notes which extents were told, and which were written untold. */
  private static final class Watched extends FilterBlockStore {
    private final Map<Long, Integer> told = new HashMap<>();
    private boolean watches;
    private int written;
    private int untold;

    Watched() {
      super(new MemoryStore(Orams.storeBytes(CONFIG)));
    }

    synchronized void watch(boolean now) {
      watches = now;
    }

    synchronized void tell(ExtentBatch batch) {
      for (int i = 0; i < batch.extents(); i++) {
        told.merge(batch.offset(i), 1, Integer::sum);
      }
    }

    @Override
    public void write(ExtentBatch batch, UnitSource source) throws IOException {
      note(batch);
      delegate.write(batch, source);
    }

    private synchronized void note(ExtentBatch batch) {
      for (int i = 0; watches && i < batch.extents(); i++) {
        written++;
        int left = told.getOrDefault(batch.offset(i), 0);
        untold += left > 0 ? 0 : 1;
        told.put(batch.offset(i), left - 1);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8})
  void whatIsWrittenWasToldBefore(int inFlight) throws IOException {
    Watched store = new Watched();
    OpenOptions options = OpenOptions.defaults().withInFlight(inFlight);
    List<Closeable> taps = new ArrayList<>();
    Random random = new Random(inFlight);
    try (MasterKey key = MasterKey.generate();
        Oram oram = Orams.create(store, ClientVault.inMemory(), CONFIG, key, options)) {
      AsyncOram async = oram.async();
      Orams.hold(oram, image -> taps.add(image.tap(store::tell)));
      store.watch(true);
      for (int round = 0; round < 20; round++) {
        List<CompletableFuture<Void>> writes = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
          writes.add(async.write(random.nextInt(1000), ByteBuffer.allocate(512)));
        }
        CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new)).join();
      }
      Orams.hold(oram, image -> store.watch(false));
      taps.get(0).close();
    }
    assertThat(store.written).isPositive();
    assertThat(store.untold).isZero();
  }
}
