package io.github.roram.suites;

import static java.util.concurrent.CompletableFuture.runAsync;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.AsyncOram;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSink;
import io.github.roram.testkit.FaultyStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What callers of accesses that overlap may do, and stages of their futures. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
final class OverlapCallersTest {

  private static final int BLOCKS = 90;

  private static final OramConfig CONFIG =
      BuiltInContract.builder(BLOCKS, "roram").chunkPaths(3).windowBlocks(5).build();

  private static final int IN_FLIGHT = 4;

  private final MasterKey key = MasterKey.generate();
  private final ClientVault vault = ClientVault.inMemory();
  private final ExecutorService answers = Executors.newSingleThreadExecutor();
  private final CountDownLatch attached = new CountDownLatch(1);

  private final Unsyncable store = new Unsyncable(new MemoryStore(Orams.storeBytes(CONFIG)));

  /** A store that cannot be synced for a while, or whose evictions end with an error. */
  private static final class Unsyncable extends FilterBlockStore {
    private volatile boolean fails;
    private volatile boolean breaks;

    Unsyncable(BlockStore delegate) {
      super(delegate);
    }

    @Override
    public void read(ExtentBatch batch, UnitSink sink) throws IOException {
      if (breaks && batch.phase() == IoPhase.EVICT_READ) {
        throw new LinkageError("injected: a class is gone");
      }
      super.read(batch, sink);
    }

    @Override
    public void sync() throws IOException {
      if (fails) {
        throw new IOException("injected: sync failed");
      }
      super.sync();
    }
  }

  @AfterEach
  void end() throws IOException {
    attached.countDown();
    answers.shutdown();
    store.close();
    key.close();
  }

  private static OpenOptions options(Durability durability) {
    return OpenOptions.defaults().withInFlight(IN_FLIGHT).withDurability(durability);
  }

  private AsyncOram create(Durability durability) throws IOException {
    return Orams.create(store, vault, CONFIG, key, options(durability)).async();
  }

  /** One whose futures complete after {@link #attached}: so stages are not run by who adds them. */
  private AsyncOram createHeld(Durability durability) throws IOException {
    answers.execute(() -> await(attached));
    return Orams.async(Orams.create(store, vault, CONFIG, key, options(durability)), answers);
  }

  private static ByteBuffer block(int content) {
    return ByteBuffer.allocate(CONFIG.blockBytes()).putInt(0, content);
  }

  private static CompletableFuture<Void> read(AsyncOram oram, int block) {
    return oram.read(block, 1, block(0));
  }

  /** As one that memory is short for: every caller learns of it, and none waits for ever. */
  @Test
  void anErrorIsAnAnswer() throws IOException {
    AsyncOram oram = create(Durability.OS);
    store.breaks = true;
    List<CompletableFuture<Void>> calls =
        IntStream.range(0, BLOCKS).mapToObj(i -> oram.write(i, block(i))).toList();
    List<Throwable> failures =
        calls.stream().map(call -> call.handle((done, failure) -> failure).join()).toList();
    assertThat(failures).hasAtLeastOneElementOfType(LinkageError.class);
    store.breaks = false;
    oram.write(7, block(8)).join();
    assertHolds(oram, 7, 8);
    oram.close();
  }

  /** It refuses as none should: who does the work tells callers then, and goes on. */
  @Test
  void anExecutorThatFailsLeavesNobodyWaiting() throws IOException {
    AsyncOram oram =
        Orams.async(
            Orams.create(store, vault, CONFIG, key, options(Durability.SYNC)),
            task -> {
              throw new IllegalStateException("no thread");
            });
    List<CompletableFuture<Void>> calls =
        IntStream.range(0, BLOCKS).mapToObj(i -> oram.write(i, block(i))).toList();
    calls.forEach(CompletableFuture::join);
    assertHolds(oram, 7, 7);
    oram.close();
  }

  private static void assertHolds(AsyncOram oram, int block, int content) {
    ByteBuffer found = block(-1);
    oram.read(block, 1, found).join();
    assertThat(found.getInt(0)).isEqualTo(content);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Closing comes behind all futures, those as well that wait for somebody's stage. */
  @Test
  void closingWaitsForFutures() throws IOException {
    AsyncOram oram = createHeld(Durability.OS);
    CompletableFuture<Void> first = oram.write(1, block(1));
    CompletableFuture<Void> last = oram.write(2, block(2));
    CompletableFuture<Void> closed = runAsync(() -> closeUnchecked(oram));
    // Accesses that are refused show that closing has begun.
    while (!read(oram, 1).isCompletedExceptionally()) {
      Thread.onSpinWait();
    }
    assertThat(closed).isNotDone();
    assertThat(last).isNotDone();
    attached.countDown();
    closed.join();
    assertThat(first).isDone();
    assertThat(last).isDone();
  }

  /** Who calls while a scan is at work is not held up by it, be it alone or one of several. */
  @Test
  void callsReturnWhileAScanGoesOn() throws IOException {
    Oram oram = Orams.create(store, vault, CONFIG, key, options(Durability.OS));
    AsyncOram calls = oram.async();
    for (int i = 0; i < 50 * BLOCKS; i++) {
      calls.write(i % BLOCKS, block(i)).join(); // until callers make accesses themselves
    }
    ExecutorService callers = Executors.newFixedThreadPool(IN_FLIGHT);
    Queue<CompletableFuture<Void>> called = new ConcurrentLinkedQueue<>();
    oram.scan(
        (number, data) -> {
          if (called.isEmpty()) {
            CompletableFuture.allOf(
                    IntStream.range(0, IN_FLIGHT)
                        .mapToObj(i -> runAsync(() -> called.add(read(calls, i)), callers))
                        .toArray(CompletableFuture[]::new))
                .join();
            assertThat(called).noneMatch(CompletableFuture::isDone);
          }
        });
    called.forEach(CompletableFuture::join);
    callers.shutdown();
    oram.close();
  }

  private static void closeUnchecked(AsyncOram oram) {
    try {
      oram.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** More calls than there is room for, on the ORAM's thread for futures. */
  @Test
  void aStageMayCall() throws IOException {
    makeCallsInAStage(createHeld(Durability.OS));
  }

  /** On the thread that makes room. */
  @Test
  void aStageOnTheDecidingThreadMayCall() throws IOException {
    makeCallsInAStage(
        Orams.async(
            Orams.create(store, vault, CONFIG, key, options(Durability.OS)), Runnable::run));
  }

  private void makeCallsInAStage(AsyncOram oram) throws IOException {
    CompletableFuture<Void> all =
        oram.write(0, block(7))
            .thenCompose(
                nothing ->
                    CompletableFuture.allOf(
                        IntStream.range(0, 10 * IN_FLIGHT)
                            .mapToObj(i -> oram.write(i, block(i)))
                            .toArray(CompletableFuture[]::new)));
    attached.countDown();
    all.join();
    for (int i = 0; i < 10 * IN_FLIGHT; i++) {
      assertHolds(oram, i, i);
    }
    oram.close();
  }

  @Test
  void aStageMustNotClose() throws IOException {
    AsyncOram oram = createHeld(Durability.OS);
    CompletableFuture<Void> closed = oram.write(1, block(5)).thenRun(() -> closeUnchecked(oram));
    attached.countDown();
    assertThatThrownBy(closed::join)
        .hasCauseInstanceOf(IllegalStateException.class)
        .hasMessageContaining("use another thread");
    assertHolds(oram, 1, 5);
    oram.close();
  }

  /** Others have what they asked for, sooner or later, and the ORAM goes on meanwhile. */
  @Test
  void aStageMayThrowOrTakeLong() throws IOException {
    AsyncOram oram = createHeld(Durability.SYNC);
    CountDownLatch goOn = new CountDownLatch(1);
    CompletableFuture<Void> thrown =
        oram.write(0, block(1))
            .thenRun(
                () -> {
                  throw new AssertionError("by a stage");
                });
    CompletableFuture<Void> slow = oram.write(1, block(1)).thenRun(() -> await(goOn));
    attached.countDown();
    List<CompletableFuture<Void>> behind = new ArrayList<>();
    for (int i = 0; i < 10 * IN_FLIGHT; i++) {
      behind.add(oram.write(i, block(i)));
    }
    while (oram.stats().accesses() < 2 + 10 * IN_FLIGHT) {
      Thread.onSpinWait();
    }
    assertThat(slow).isNotDone();
    goOn.countDown();
    behind.forEach(CompletableFuture::join);
    assertThatThrownBy(thrown::join).hasRootCauseMessage("by a stage");
    oram.close();
  }

  /** What was asked for is done, whatever its user does with the future. */
  @Test
  void aFutureThatIsCancelledTakesNothingBack() throws IOException {
    AsyncOram oram = create(Durability.OS);
    for (int i = 0; i < BLOCKS; i++) {
      CompletableFuture<Void> write = oram.write(i, block(i));
      if (i % 2 == 0) {
        write.cancel(true);
      }
    }
    for (int i = 0; i < BLOCKS; i++) {
      assertHolds(oram, i, i);
    }
    oram.close();
  }

  /** Files are closed by an interrupt of who writes to them; callers do not. */
  @Test
  void whoIsInterruptedMayCall() throws IOException {
    AsyncOram oram = create(Durability.SYNC);
    Thread.currentThread().interrupt();
    for (int i = 0; i < 5 * IN_FLIGHT; i++) {
      CompletableFuture<Void> unused = oram.write(i, block(i));
    }
    assertThat(oram.stats().accesses()).isNotNegative();
    oram.close();
    assertThat(Thread.interrupted()).isTrue();
    AsyncOram again = Orams.open(store, vault, key, options(Durability.SYNC)).async();
    for (int i = 0; i < 5 * IN_FLIGHT; i++) {
      assertHolds(again, i, i);
    }
    again.close();
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void whatCouldNotBeClosedIsOpenOrCanBeOpened(Durability durability) throws IOException {
    AsyncOram oram = create(durability);
    for (int i = 0; i < 60; i++) {
      oram.write(i, block(i)).join();
    }
    store.fails = true;
    assertThatThrownBy(oram::close)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("injected");
    store.fails = false;
    if (durability != Durability.NONE) {
      oram.close();
      oram = Orams.open(store, vault, key, options(durability)).async();
    }
    for (int i = 40; i < BLOCKS; i++) {
      oram.write(i, block(i + 1)).join();
    }
    oram.close();
    oram.close();
    try (AsyncOram again = Orams.open(store, vault, key, options(durability)).async()) {
      for (int i = 0; i < BLOCKS; i++) {
        assertHolds(again, i, i < 40 ? i : i + 1);
      }
    }
  }

  /** Each call is done or refused, whenever it comes, and nothing is asked for after the end. */
  @Test
  void closingRacesWithCallers() throws Exception {
    for (int round = 0; round < 12; round++) {
      FaultyStore own = new FaultyStore(new MemoryStore(Orams.storeBytes(CONFIG)));
      AsyncOram oram =
          Orams.create(own, ClientVault.inMemory(), CONFIG, key, options(Durability.OS)).async();
      List<CompletableFuture<Void>> callers = new ArrayList<>();
      for (int caller = 0; caller < 2 * IN_FLIGHT; caller++) {
        int first = caller;
        callers.add(
            CompletableFuture.runAsync(
                () -> callUntilClosed(oram, first), task -> new Thread(task).start()));
      }
      TimeUnit.MILLISECONDS.sleep(2L * round);
      oram.close();
      own.close();
      callers.forEach(CompletableFuture::join);
      own.checkClosed();
    }
  }

  private static void callUntilClosed(AsyncOram oram, int first) {
    try {
      for (int i = first; true; i++) {
        oram.write(i % BLOCKS, block(i)).join();
      }
    } catch (CompletionException e) {
      assertThat(e).hasCauseInstanceOf(ClosedChannelException.class);
    }
  }
}
