package io.github.roram.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.session.AsyncView;
import io.github.roram.session.OpenOram;
import io.github.roram.session.StoreOpening;
import io.github.roram.store.ClientVault;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A chunk is read while the one before it is written: when, and what becomes of it. */
@SuppressWarnings("NullAway.Init") // every test begins with its store
final class ReadAheadChunksTest {

  private static final int BLOCKS = 128;
  private static final int BLOCK_BYTES = 512;

  /** Paths of a chunk: two of them are apart from three levels of treetop on. */
  private static final int CHUNK_PATHS = 4;

  private static final int CHUNK_BLOCKS = 3 * CHUNK_PATHS;

  private final MasterKey key = MasterKey.generate();
  private final int[] contents = new int[BLOCKS];
  private int next;
  private ClientVault vault;
  private HeldStore store;
  private AsyncView oram;

  @AfterEach
  void forgetKey() {
    key.close();
  }

  private static OramConfig config(int treetopBytes) {
    return OramConfig.builder(BLOCKS)
        .blockBytes(BLOCK_BYTES)
        .maxRangeBlocks(1)
        .chunkPaths(CHUNK_PATHS)
        .windowBlocks(2 * CHUNK_BLOCKS)
        .treetopBytes(treetopBytes)
        .build();
  }

  private static int levels(int treetopBytes) {
    return new StoreLayout(config(treetopBytes)).geometry(0).treetopLevels();
  }

  /** The fewest bytes that so many levels take. */
  private static int treetopOf(int levels) {
    int bytes = 0;
    while (levels(bytes) < levels) {
      bytes += BLOCK_BYTES;
    }
    assertThat(levels(bytes)).isEqualTo(levels);
    return bytes;
  }

  private static OpenOptions options() {
    return OpenOptions.defaults().withDurability(Durability.OS).withThreads(1).withInFlight(32);
  }

  private StoreOpening opening() {
    return new StoreOpening(store, vault, key, new Random(1)::nextInt);
  }

  /** Everything was written once, and a chunk is about to be written. */
  private void writeUntilAChunkIsWritten(int levels) throws IOException {
    OramConfig config = config(treetopOf(levels));
    vault = ClientVault.inMemory();
    store = new HeldStore(Orams.storeBytes(config));
    oram = new AsyncView(opening().create(config, options()));
    for (int i = 0; i < BLOCKS; i++) {
      write();
    }
    store.hold(IoPhase.EVICT_WRITE);
    while (store.held(IoPhase.EVICT_WRITE) == 0) {
      write();
    }
  }

  private void write() {
    int block = next++ % BLOCKS;
    contents[block]++;
    ByteBuffer data = ByteBuffer.allocate(BLOCK_BYTES).putInt(0, contents[block]);
    CompletableFuture<Void> unused = oram.write(block, data);
    settle();
  }

  private void write(int count) {
    for (int i = 0; i < count; i++) {
      write();
    }
  }

  private void settle() {
    OverlapByHand.settle(oram);
  }

  private int evictReads() {
    return store.asked(IoPhase.EVICT_READ);
  }

  private void assertContents() {
    for (int block = 0; block < BLOCKS; block++) {
      ByteBuffer data = ByteBuffer.allocate(BLOCK_BYTES);
      oram.read(block, 1, data).join();
      assertThat(data.getInt(0)).as("block %d", block).isEqualTo(contents[block]);
    }
  }

  private void assertSound() throws IOException {
    store.letAllThrough();
    settle();
    assertContents();
    oram.close();
    try (OpenOram again = opening().open(null, options())) {
      assertThat(again.verify((done, total) -> {}).findings()).isEmpty();
    }
  }

  @Test
  void aChunkIsReadOnceAWholeOneMoreIsOwedAndPlacedWhenTheFirstIsRecorded() throws IOException {
    writeUntilAChunkIsWritten(3);
    int reads = evictReads();
    write(CHUNK_BLOCKS - 1);
    assertThat(evictReads()).isEqualTo(reads);
    write();
    assertThat(evictReads()).isEqualTo(reads + 1);
    // What is owed beyond makes no third one, and nothing more is written.
    write(CHUNK_BLOCKS / 2);
    assertThat(evictReads()).isEqualTo(reads + 1);
    assertThat(oram.overlapStats().evictionsUnderWay()).isEqualTo(2 * CHUNK_PATHS);
    List<HeldStore.Held> first = store.take(IoPhase.EVICT_WRITE);
    assertThat(first).hasSize(1);
    settle();
    assertThat(store.held(IoPhase.EVICT_WRITE)).isZero();
    first.get(0).letThrough();
    settle();
    // It was not read again.
    assertThat(store.held(IoPhase.EVICT_WRITE)).isEqualTo(1);
    assertThat(evictReads()).isEqualTo(reads + 1);
    assertSound();
    assertThat(store.refused()).isZero();
  }

  @Test
  void withALevelLessOneChunkIsUnderWay() throws IOException {
    writeUntilAChunkIsWritten(2);
    int reads = evictReads();
    write(2 * CHUNK_BLOCKS - 1);
    assertThat(evictReads()).isEqualTo(reads);
    assertSound();
  }

  @Test
  void aChunkThatFailsTakesItsSuccessorWithIt() throws IOException {
    for (boolean hasArrived : new boolean[] {false, true}) {
      writeUntilAChunkIsWritten(3);
      store.hold(IoPhase.EVICT_READ);
      write(CHUNK_BLOCKS);
      List<HeldStore.Held> ahead = store.take(IoPhase.EVICT_READ);
      assertThat(ahead).hasSize(1);
      store.holdNothing();
      if (hasArrived) {
        ahead.get(0).letThrough();
        settle();
      }
      store.take(IoPhase.EVICT_WRITE).get(0).fail();
      settle();
      write();
      if (!hasArrived) {
        // Its memory is the store's until it has answered.
        assertThat(oram.overlapStats().evictionsUnderWay()).isEqualTo(CHUNK_PATHS);
        ahead.get(0).letThrough();
        settle();
      }
      assertThat(oram.overlapStats().evictionsUnderWay()).isZero();
      assertSound();
    }
  }

  @Test
  void aReadAheadThatFailsHarmsNoOther() throws IOException {
    writeUntilAChunkIsWritten(3);
    store.hold(IoPhase.EVICT_READ);
    write(CHUNK_BLOCKS);
    store.take(IoPhase.EVICT_READ).get(0).fail();
    settle();
    store.letAllThrough();
    settle();
    assertThat(oram.overlapStats().evictionsUnderWay()).isZero();
    assertSound();
  }

  @Test
  void aFlushEndsWhatIsUnderWay() throws IOException {
    writeUntilAChunkIsWritten(3);
    write(CHUNK_BLOCKS);
    CompletableFuture<Void> flush = oram.flush();
    settle();
    assertThat(flush).isNotDone();
    store.letAllThrough();
    flush.join();
    assertThat(oram.overlapStats().evictionsUnderWay()).isZero();
    assertSound();
  }

  @Test
  void aCrashLosesNothing() throws IOException {
    writeUntilAChunkIsWritten(3);
    write(CHUNK_BLOCKS);
    store.take(IoPhase.EVICT_WRITE).get(0).letThrough();
    settle();
    // The first is recorded, the second placed: its write never comes.
    assertThat(store.held(IoPhase.EVICT_WRITE)).isEqualTo(1);
    OpenOram again = opening().open(null, options());
    again.completeRecovery();
    for (int block = 0; block < BLOCKS; block++) {
      assertThat(again.read(block, 1).getInt(0)).isEqualTo(contents[block]);
    }
    assertThat(again.verify((done, total) -> {}).findings()).isEmpty();
    again.close();
  }
}
