package io.github.roram.linked;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.VerifyReport;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.engine.Verifiable;
import io.github.roram.open.Orams;
import io.github.roram.range.HeldStore;
import io.github.roram.session.AsyncView;
import io.github.roram.session.InOneThread;
import io.github.roram.session.OpenOram;
import io.github.roram.session.StoreOpening;
import io.github.roram.store.ClientVault;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What accesses of a linked tree that overlap keep to: courses of events that go wrong without it.
 */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("NullAway.Init") // each test opens what it needs
final class LinkedRulesTest {

  private static final int BLOCK_BYTES = 512;
  private static final OramConfig TAO =
      config("tao").chunkPaths(1).build(); // a write-back after each access, two places a bucket
  private static final OramConfig PATH = config("path").build(); // one place a bucket

  private final MasterKey key = MasterKey.generate();
  private HeldStore store;
  private OpenOram below;
  private AsyncView oram;

  private static OramConfig.Builder config(String scheme) {
    return OramConfig.builder(64)
        .scheme(scheme)
        .blockBytes(BLOCK_BYTES)
        .maxRangeBlocks(4)
        .treetopBytes(0);
  }

  private void open(OramConfig config, Durability durability) throws IOException {
    store = new HeldStore(Orams.storeBytes(config));
    OpenOptions options =
        OpenOptions.defaults().withDurability(durability).withThreads(1).withInFlight(64);
    below =
        new StoreOpening(store, ClientVault.inMemory(), key, LabelSource.secure())
            .create(config, options);
    oram = new AsyncView(below, new InOneThread(), new InOneThread());
  }

  @AfterEach
  void close() throws IOException {
    store.holdNothing();
    store.letAllThrough();
    // What a test that failed has taken, so that it ends.
    store.asked().forEach(HeldStore.Held::fail);
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

  private void letWritesThrough() {
    for (int i = 0; i < 20; i++) {
      store.take(IoPhase.EVICT_WRITE).forEach(HeldStore.Held::letThrough);
    }
  }

  /** Floor: two write-backs of the root would overwrite what a slow read is being brought. */
  @Test
  void aSlowReadIsNotOutrun() throws IOException {
    open(TAO, Durability.OS);
    write(1, 1).join();
    store.hold(IoPhase.READ);
    store.hold(IoPhase.EVICT_WRITE);
    CompletableFuture<Void> first = write(2, 2);
    CompletableFuture<Void> second = write(3, 3);
    CompletableFuture<Byte> slow = read(1);
    List<HeldStore.Held> reads = store.take(IoPhase.READ);
    assertThat(reads).hasSize(3);
    reads.get(0).letThrough();
    reads.get(1).letThrough();
    CompletableFuture.allOf(first, second).join();
    List<HeldStore.Held> writes = store.take(IoPhase.EVICT_WRITE);
    assertThat(writes).isNotEmpty();
    writes.forEach(HeldStore.Held::letThrough);
    assertThat(store.held(IoPhase.EVICT_WRITE)).as("the second write-back waits").isZero();
    reads.get(2).letThrough();
    assertThat(slow.join()).isEqualTo((byte) 1);
    letWritesThrough();
    store.holdNothing();
    assertThat(read(2).join()).isEqualTo((byte) 2);
    assertThat(read(3).join()).isEqualTo((byte) 3);
  }

  /** Stamp: what is written again while it is being written back is not let go of. */
  @Test
  void whatChangesMeanwhileStays() throws IOException {
    open(TAO, Durability.OS);
    store.hold(IoPhase.EVICT_WRITE);
    write(5, 1).join();
    assertThat(store.held(IoPhase.EVICT_WRITE)).isEqualTo(1);
    assertThat(oram.overlapStats().subtreeBuckets()).as("a path").isPositive();
    write(5, 2).join();
    letWritesThrough();
    assertThat(oram.overlapStats().subtreeBuckets()).as("all is written back").isZero();
    store.holdNothing();
    assertThat(read(5).join()).isEqualTo((byte) 2);
  }

  /** As after a crash: what was placed stays with the client, since it was asked for again. */
  @Test
  void theAuditKnowsStaleCopiesOnPathsThatAreBeingRead() throws IOException {
    open(TAO, Durability.OS);
    store.hold(IoPhase.EVICT_WRITE);
    write(5, 1).join();
    assertThat(store.held(IoPhase.EVICT_WRITE)).isEqualTo(1);
    store.hold(IoPhase.READ);
    CompletableFuture<Byte> pending = read(5);
    store.take(IoPhase.EVICT_WRITE).forEach(HeldStore.Held::letThrough);
    assertThat(engineAudit().findings()).isEmpty();
    store.take(IoPhase.READ).forEach(HeldStore.Held::letThrough);
    assertThat(pending.join()).isEqualTo((byte) 1);
  }

  /** That of the engine: the ORAM's waits until nothing is under way. */
  private VerifyReport engineAudit() throws IOException {
    return below.able(Verifiable.class, "cannot be verified").audit((done, total) -> {});
  }

  /** Pin: what a fake read is for does not leave before that has arrived. */
  @Test
  void whatIsAskedForStays() throws IOException {
    open(TAO, Durability.OS);
    write(7, 1).join();
    store.hold(IoPhase.READ);
    CompletableFuture<Byte> real = read(7);
    CompletableFuture<Byte> fake = read(7);
    List<HeldStore.Held> reads = store.take(IoPhase.READ);
    reads.get(0).letThrough();
    assertThat(real.join()).isEqualTo((byte) 1);
    reads.get(1).letThrough();
    assertThat(fake.join()).isEqualTo((byte) 1);
  }

  /** What is on its way is in the buckets as they were before the write-back. */
  @Test
  void readsNextToAWriteBackFindTheirBlocks() throws IOException {
    open(TAO, Durability.OS);
    for (int block = 0; block < 40; block++) {
      write(block, block).join();
    }
    store.hold(IoPhase.EVICT_WRITE);
    for (int block = 0; block < 2; block++) {
      assertThat(read(block).join()).isEqualTo((byte) block);
    }
    letWritesThrough();
    store.holdNothing();
    for (int block = 0; block < 40; block++) {
      assertThat(read(block).join()).isEqualTo((byte) block);
    }
  }

  /** Floor, with one place: the first path that is written has the root, which a read needs. */
  @Test
  void noPathIsWrittenOverWhatASlowReadNeeds() throws IOException {
    open(PATH, Durability.NONE);
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

  /** With one place, what is being written is with the client: a read takes it from there. */
  @Test
  void readsNextToAWriteBackNeedNothingOfIt() throws IOException {
    open(PATH, Durability.NONE);
    for (int block = 0; block < 40; block++) {
      write(block, block).join();
    }
    store.hold(IoPhase.EVICT_WRITE);
    write(50, 50).join();
    assertThat(store.held(IoPhase.EVICT_WRITE)).isEqualTo(1);
    assertThat(read(7).join()).isEqualTo((byte) 7);
    store.letAllThrough();
    store.holdNothing();
    for (int block = 0; block < 40; block++) {
      assertThat(read(block).join()).isEqualTo((byte) block);
    }
  }
}
