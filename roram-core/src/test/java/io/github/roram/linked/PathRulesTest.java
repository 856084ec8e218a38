package io.github.roram.linked;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.range.HeldStore;
import io.github.roram.session.AsyncView;
import io.github.roram.session.InOneThread;
import io.github.roram.session.StoreOpening;
import io.github.roram.store.ClientVault;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What accesses of a Path ORAM that overlap keep to, since a bucket has one place. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class PathRulesTest {

  private static final int BLOCK_BYTES = 512;
  private static final OramConfig CONFIG =
      OramConfig.builder(64)
          .scheme("path")
          .blockBytes(BLOCK_BYTES)
          .maxRangeBlocks(4)
          .treetopBytes(0)
          .build();

  private final MasterKey key = MasterKey.generate();
  private final HeldStore store = new HeldStore(Orams.storeBytes(CONFIG));
  private AsyncView oram;

  @BeforeEach
  void open() throws IOException {
    OpenOptions options =
        OpenOptions.defaults().withDurability(Durability.NONE).withThreads(1).withInFlight(8);
    oram =
        new AsyncView(
            new StoreOpening(store, ClientVault.inMemory(), key, LabelSource.secure())
                .create(CONFIG, options),
            new InOneThread(),
            new InOneThread());
  }

  @AfterEach
  void close() throws IOException {
    store.holdNothing();
    store.letAllThrough();
    oram.close();
    key.close();
  }

  private CompletableFuture<Void> write(int block, int value) {
    byte[] data = new byte[BLOCK_BYTES];
    Arrays.fill(data, (byte) value);
    return oram.write(block, ByteBuffer.wrap(data));
  }

  private CompletableFuture<Byte> read(int block) {
    byte[] data = new byte[BLOCK_BYTES];
    return oram.read(block, 1, ByteBuffer.wrap(data)).thenApply(nothing -> data[0]);
  }

  /** Floor: the first path that is written has the root, which a slow read is being brought. */
  @Test
  void noPathIsWrittenOverWhatASlowReadNeeds() {
    write(1, 1).join();
    store.hold(IoPhase.READ);
    store.hold(IoPhase.EVICT_WRITE);
    CompletableFuture<Void> first = write(2, 2);
    CompletableFuture<Byte> slow = read(1);
    List<HeldStore.Held> reads = store.take(IoPhase.READ);
    assertThat(reads).as("reads under way").hasSize(2);
    reads.get(0).letThrough();
    first.join();
    assertThat(store.held(IoPhase.EVICT_WRITE)).as("the write-back waits").isZero();
    reads.get(1).letThrough();
    assertThat(slow.join()).isEqualTo((byte) 1);
    assertThat(store.held(IoPhase.EVICT_WRITE)).as("it begins").isEqualTo(1);
    store.letAllThrough();
    store.holdNothing();
    assertThat(read(2).join()).isEqualTo((byte) 2);
  }

  /** What is being written is with the client: a read that begins meanwhile takes it from there. */
  @Test
  void readsBesideAWriteBackNeedNothingOfIt() {
    for (int block = 0; block < 40; block++) {
      write(block, block).join();
    }
    store.hold(IoPhase.EVICT_WRITE);
    CompletableFuture<Void> writing = write(50, 50);
    writing.join();
    assertThat(store.held(IoPhase.EVICT_WRITE)).isEqualTo(1);
    assertThat(read(7).join()).isEqualTo((byte) 7);
    store.letAllThrough();
    store.holdNothing();
    for (int block = 0; block < 40; block++) {
      assertThat(read(block).join()).isEqualTo((byte) block);
    }
  }
}
