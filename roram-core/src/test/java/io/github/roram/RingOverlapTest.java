package io.github.roram;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.crypto.MasterKey;
import io.github.roram.object.MemoryObjects;
import io.github.roram.object.ObjectStore;
import io.github.roram.open.Orams;
import io.github.roram.range.HeldStore;
import io.github.roram.session.AsyncView;
import io.github.roram.session.OpenOram;
import io.github.roram.session.StoreOpening;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSink;
import io.github.roram.threads.OwnedThreads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Accesses of the ring that overlap, in courses of events that are made by hand: a read that is
 * behind, since two evictions have replaced buckets that it was shown and it is still to bring what
 * stands in them; blocks that are written while they are being evicted; and blocks that an eviction
 * has taken.
 */
class RingOverlapTest {

  private static final int BLOCKS = 70;
  private static final int BLOCK_BYTES = 512;

  /** A: so small that 2A + 1 reads seldom close a bucket. */
  private static final int RATE = 5;

  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofSeconds(3);

  private final MasterKey key = MasterKey.generate();
  private OramConfig config = ring("buckets");
  private final Random random = new Random(1);
  private PowerVault vault = new PowerVault();
  private HeldStore store = new HeldStore(Orams.storeBytes(config));
  private final OpenOptions options =
      OpenOptions.defaults().withDurability(Durability.SYNC).withInFlight(64);

  /** What was begun behind another read, and is not answered. */
  private final List<CompletableFuture<?>> behind = new ArrayList<>();

  /** A read that the test has. */
  private HeldStore.@Nullable Held left;

  private AsyncView oram;

  @BeforeEach
  void fill() throws IOException {
    oram =
        new AsyncView(new StoreOpening(store, vault, key, random::nextInt).create(config, options));
    for (int block = 0; block < BLOCKS; block++) {
      oram.write(block, ByteBuffer.wrap(content(block))).join();
    }
    await(() -> owed() == 0);
  }

  @AfterEach
  void end() throws IOException {
    vault.letSyncsThrough();
    store.letAllThrough();
    if (left != null) {
      left.letThrough();
    }
    oram.close();
    key.close();
  }

  private static OramConfig ring(String reads) {
    OramConfig.Builder builder = RingModelTest.ring(BLOCKS, RATE, 4, 4, 0).toBuilder();
    return builder.set("evictionReads", reads).build();
  }

  private static byte[] content(int block) {
    byte[] content = new byte[BLOCK_BYTES];
    Arrays.fill(content, (byte) (block + 1));
    return content;
  }

  private CompletableFuture<Void> read(int block) {
    return oram.read(block, 1, ByteBuffer.allocate(BLOCK_BYTES));
  }

  /** Waits for what comes in any case. */
  private void await(BooleanSupplier condition) {
    assertThat(comesWithin(LONG, condition)).isTrue();
  }

  private boolean comesWithin(Duration time, BooleanSupplier condition) {
    long end = System.nanoTime() + time.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() >= end) {
        return false;
      }
      oram.stats();
      Thread.onSpinWait();
    }
    // All turns that can be made are.
    for (int i = 0; i < 100; i++) {
      oram.stats();
    }
    return true;
  }

  private long owed() {
    return oram.overlapStats().owedBlocks();
  }

  /** Begins a read that stays behind, and has the two evictions made that it allows. */
  private HeldStore.Held leaveBehind(int block) throws IOException {
    while (true) {
      if (beginBehind(block)) {
        HeldStore.Held read = store.take(IoPhase.READ).get(0);
        left = read;
        store.letAllThrough();
        if (comesWithin(SHORT, () -> owed() == 0)) {
          return read;
        }
        // It left out what it will find in a bucket that was closed before; the eviction waits.
        read.letThrough();
        left = null;
      }
      startAnew();
    }
  }

  /**
   * Begins a read when two evictions are due; false if a read closes a bucket, as labels have it:
   * then evictions wait for other things, too.
   */
  private boolean beginBehind(int block) {
    if (!oweWithEvictionsHeld(2 * RATE)) {
      return false;
    }
    store.hold(IoPhase.READ);
    behind.add(read(block));
    await(() -> store.held(IoPhase.READ) == 1);
    return !closes();
  }

  /** Reads until so many blocks are to be evicted; false if one closes a bucket. */
  private boolean oweWithEvictionsHeld(int blocks) {
    store.hold(IoPhase.EVICT_READ);
    while (owed() < blocks) {
      CompletableFuture<Void> read = read(0);
      await(() -> read.isDone() || closes());
      if (!read.isDone()) {
        return false;
      }
    }
    return true;
  }

  /** Besides the path of the next eviction, what is left in a bucket is read. */
  private boolean closes() {
    return store.held(IoPhase.EVICT_READ) > (owed() < RATE ? 0 : 1);
  }

  private void startAnew() throws IOException {
    store.letAllThrough();
    oram.close();
    behind.clear();
    vault = new PowerVault();
    store = new HeldStore(Orams.storeBytes(config));
    fill();
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 20, 30, 40, 50, 60})
  void aReadThatIsPendingIsScannedAndVerified(int block) throws IOException {
    leaveBehind(block);
    try (Oram after = Orams.open(copy(), vault.afterPowerLoss(), key, options)) {
      byte[] scanned = new byte[(int) config.bytes()];
      after.scan((address, data) -> data.get(scanned, (int) address * BLOCK_BYTES, BLOCK_BYTES));
      assertThat(scanned).isEqualTo(contents());
      assertThat(after.verify((done, total) -> {}).findings()).isEmpty();
      assertAllThere(after);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 20, 30, 40, 50, 60})
  void anEvictionWaitsUntilReadsAreCompleteForGood(int block) throws IOException {
    HeldStore.Held read = leaveBehind(block);
    int asked = store.asked(IoPhase.READ);
    for (int next = 0; next < RATE; next++) {
      behind.add(read(next));
    }
    await(() -> store.asked(IoPhase.READ) == asked + RATE);
    // With one more that is not complete, turns go on while a sync stands still.
    store.hold(IoPhase.READ);
    behind.add(read(RATE));
    await(() -> store.held(IoPhase.READ) == 1);
    vault.holdSyncs();
    read.letThrough();
    await(() -> vault.heldSyncs() == 1);
    KeptVault records = vault.afterPowerLoss();
    try (Oram after = Orams.open(copy(), records, key, options)) {
      assertAllThere(after);
    }
    vault.letSyncsThrough();
    store.letAllThrough();
    behind.forEach(CompletableFuture::join);
    await(() -> owed() < RATE);
  }

  @Test
  void whatIsWrittenWhileItIsBeingEvictedStays() throws IOException {
    store.hold(IoPhase.EVICT_WRITE);
    for (int block = 0; block < RATE; block++) {
      read(block).join();
    }
    await(() -> store.held(IoPhase.EVICT_WRITE) > 0);
    for (int block = 0; block < RATE; block++) {
      oram.write(block, ByteBuffer.wrap(content(BLOCKS + block))).join();
    }
    store.letAllThrough();
    await(() -> owed() == 0);
    for (int block = 0; block < RATE; block++) {
      ByteBuffer read = ByteBuffer.allocate(BLOCK_BYTES);
      oram.read(block, 1, read).join();
      assertThat(read.array()).isEqualTo(content(BLOCKS + block));
    }
  }

  /** All paths have the root in common. */
  @Test
  void aReadWaitsForSlicesOfItsPath() throws IOException {
    config = ring("slots");
    do {
      startAnew();
    } while (!oweWithEvictionsHeld(RATE));
    await(() -> store.held(IoPhase.EVICT_READ) > 0);
    int asked = store.asked(IoPhase.READ);
    ByteBuffer data = ByteBuffer.allocate(BLOCK_BYTES);
    CompletableFuture<Void> read = oram.read(BLOCKS - 1, 1, data);
    await(() -> store.asked(IoPhase.READ) > asked);
    for (int turns = 0; turns < 1000; turns++) {
      await(() -> !read.isDone());
    }
    store.letAllThrough();
    read.join();
    assertThat(data.array()).isEqualTo(content(BLOCKS - 1));
  }

  /** Some blocks of an eviction that was recorded are to be brought by reads that are pending. */
  @ParameterizedTest
  @ValueSource(ints = {0, 10, 20, 30, 40, 50})
  void whatAnEvictionTookIsThereForReadsThatArePending(int first) throws IOException {
    config = ring("slots");
    do {
      startAnew();
    } while (!evictsNextToReads(first));
    behind.add(read(BLOCKS - 1));
    await(() -> store.held(IoPhase.READ) == RATE + 1);
    try (Oram after = Orams.open(copy(), vault.afterPowerLoss(), key, options)) {
      assertAllThere(after);
    }
  }

  /**
   * Whether evictions are made while reads are held. Where a read closes a bucket, as labels have
   * it in about one of 75 cases, they wait for it, and are made after it.
   */
  private boolean evictsNextToReads(int first) {
    store.hold(IoPhase.EVICT_WRITE);
    for (int block = 0; block < RATE; block++) {
      read(block).join();
    }
    await(() -> store.held(IoPhase.EVICT_WRITE) > 0);
    store.hold(IoPhase.READ);
    for (int next = 0; next < RATE; next++) {
      behind.add(read(first + next));
    }
    await(() -> store.held(IoPhase.READ) == RATE);
    store.holdNothing();
    store.take(IoPhase.EVICT_WRITE).forEach(HeldStore.Held::letThrough);
    store.hold(IoPhase.READ);
    boolean made = comesWithin(SHORT, () -> owed() == 0);
    if (!made) {
      store.letAllThrough();
      await(() -> owed() == 0);
    }
    return made;
  }

  private static void assertAllThere(Oram oram) throws IOException {
    for (int block = 0; block < BLOCKS; block++) {
      assertThat(oram.read(block, 1)).isEqualTo(ByteBuffer.wrap(content(block)));
    }
    assertThat(oram.verify((done, total) -> {}).findings()).isEmpty();
  }

  private HeapStore copy() {
    HeapStore copy = new HeapStore(Orams.storeBytes(config));
    copy.restore(store.copy());
    return copy;
  }

  private static byte[] contents() {
    ByteBuffer all = ByteBuffer.allocate(BLOCKS * BLOCK_BYTES);
    for (int block = 0; block < BLOCKS; block++) {
      all.put(content(block));
    }
    return all.array();
  }

  /** A store that fails once, when an eviction reads. */
  private static final class FailingStore extends FilterBlockStore {
    private boolean failing;

    FailingStore(BlockStore delegate) {
      super(delegate);
    }

    @Override
    public void read(ExtentBatch batch, UnitSink sink) throws IOException {
      if (failing && batch.phase() == IoPhase.EVICT_READ) {
        failing = false;
        throw new IOException("injected: read failed");
      }
      super.read(batch, sink);
    }
  }

  /** Else nobody would read what its eviction has chosen: later evictions take that for read. */
  @Test
  void whatAnAccessAloneCouldNotReadIsReadBeforeOthersOverlap() throws IOException {
    FailingStore failing = new FailingStore(new HeldStore(Orams.storeBytes(config)));
    try (OpenOram alone =
        new StoreOpening(failing, new PowerVault(), key, random::nextInt)
            .create(ring("slots"), options.withDurability(Durability.NONE))) {
      AsyncView overlapping = new AsyncView(alone);
      for (int block = 0; block < BLOCKS; block++) {
        alone.write(block, ByteBuffer.wrap(content(block)));
      }
      int evictionsFailed = 0;
      for (int round = 0; round < 10; round++) {
        evictionsFailed += failsAtRead(alone, failing) ? 0 : 1;
        for (int block = 0; block < BLOCKS; block++) {
          ByteBuffer target = ByteBuffer.allocate(BLOCK_BYTES);
          overlapping.read(block, 1, target).join();
          assertThat(target.array()).isEqualTo(content(block));
        }
      }
      assertThat(evictionsFailed).isPositive();
    }
  }

  /**
   * Reads until the store has failed. Returns whether a read failed with it: one that closes a
   * bucket reads what is left in it as an eviction does.
   */
  private boolean failsAtRead(OpenOram alone, FailingStore failing) {
    failing.failing = true;
    try {
      while (failing.failing) {
        alone.read(random.nextInt(BLOCKS), 1);
      }
      return false;
    } catch (IOException e) {
      assertThat(e).hasMessage("injected: read failed");
      return true;
    }
  }

  /** An object is written at once; an eviction that failed would be made again in another epoch. */
  @Test
  void slicesOfAnEvictionEndWhereObjectsEnd() throws IOException {
    OramConfig large =
        RingModelTest.ring(500, 16, 2, 5, 1).toBuilder()
            .blockBytes(4096)
            .set("evictionReads", "buckets")
            .build();
    MemoryObjects objects = new MemoryObjects();
    try (ObjectStore onObjects = new ObjectStore(objects.another(), new OwnedThreads());
        OpenOram open =
            new StoreOpening(onObjects, new PowerVault(), key, random::nextInt)
                .create(large, options.withDurability(Durability.NONE))) {
      AsyncView view = new AsyncView(open);
      for (int access = 0; access < 200; access++) {
        view.write(random.nextInt(500), ByteBuffer.allocate(4096)).join();
      }
      await(() -> view.overlapStats().owedBlocks() < 16);
    }
    List<String> names = new ArrayList<>();
    objects.forEach("b/", "", names::add);
    assertThat(names).isNotEmpty().allMatch(name -> name.endsWith("-00000001"));
  }
}
