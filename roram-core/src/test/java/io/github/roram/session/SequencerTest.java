package io.github.roram.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.engine.RepeatedRead;
import io.github.roram.engine.Transfer;
import io.github.roram.open.Orams;
import io.github.roram.range.HeldStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSink;
import io.github.roram.threads.OwnedThreads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Calls of the ring, made by one thread that does turns and syncs one after another, in a time that
 * the test says: what waits for ever is a call that is not answered once nothing is left to do.
 */
final class SequencerTest {

  private static final int BLOCKS = 70;

  /** So large that the path of an eviction is read in several slices. */
  private static final int BLOCK_BYTES = 16384;

  /** A. */
  private static final int RATE = 7;

  private static final long LONG_NANOS = 10_000_000;

  private static final OramConfig CONFIG =
      OramConfig.builder(BLOCKS)
          .scheme("ring")
          .blockBytes(BLOCK_BYTES)
          .maxRangeBlocks(16)
          .set("evictionBlocks", RATE)
          .set("fanOut", 4)
          .set("height", 4)
          .set("treetopLevels", 0)
          .build();

  private final MasterKey key = MasterKey.generate();
  private final Random random = new Random(1);
  private final Deque<Runnable> turns = new ArrayDeque<>();
  private final FailingStore store = new FailingStore();
  private Consumer<Call> onAnswer = Call::answer;
  private OpenOram oram;
  private Sequencer calls;

  /** What each access takes that is made alone. */
  private long nanosAlone;

  private boolean mayWait = true;
  private boolean hasThread = true;

  /** Those of the queue; where they may not wait, others may, if there is a thread for them. */
  private final class TestTurns implements Turns {
    private final Turns queued = Turns.on(turns::add, turns::add);

    @Override
    public void execute(Runnable turn) {
      queued.execute(turn);
    }

    @Override
    public boolean mayWait() {
      return mayWait;
    }

    @Override
    public void later(Runnable turn) {
      if (!hasThread) {
        throw new RejectedExecutionException("injected: no thread");
      }
      queued.later(
          () -> {
            mayWait = true;
            turn.run();
            mayWait = false;
          });
    }

    @Override
    public <T> T look(Supplier<T> view) {
      return queued.look(view);
    }

    @Override
    public void sync(Runnable sync, boolean nobodyElse) {
      queued.sync(sync, nobodyElse);
    }
  }

  /** Fails once, when an eviction that is made alone reads. */
  private static final class FailingStore extends HeldStore {
    private boolean failing;

    FailingStore() {
      super(Orams.storeBytes(CONFIG));
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

  /** The clock goes on whenever it is looked at. */
  private final class Clock extends OwnedThreads {
    private long now;

    @Override
    public long nanoTime() {
      now += nanosAlone;
      return now;
    }
  }

  @BeforeEach
  void open() throws IOException {
    OpenOptions options =
        OpenOptions.defaults().withDurability(Durability.SYNC).withInFlight(64).withThreads(1);
    oram =
        new StoreOpening(store, ClientVault.inMemory(), key, random::nextInt, Clock::new)
            .create(CONFIG, options);
    calls = new Sequencer(oram, new TestTurns(), true, call -> onAnswer.accept(call));
    oram.begin(calls);
  }

  @AfterEach
  void end() throws IOException {
    store.letAllThrough();
    CompletableFuture<Void> closed = calls.closeWhenIdle();
    turn();
    assertThat(closed).isCompleted();
    calls.end();
    key.close();
  }

  private void turn() {
    for (Runnable next = turns.poll(); next != null; next = turns.poll()) {
      next.run();
    }
  }

  private static byte[] content(int block) {
    byte[] content = new byte[BLOCK_BYTES];
    Arrays.fill(content, (byte) (block + 1));
    return content;
  }

  private CompletableFuture<Void> write(int block) {
    ByteBuffer source = ByteBuffer.wrap(content(block));
    long offset = (long) block * BLOCK_BYTES;
    return calls.submit(
        Call.access(
            Transfer.into(
                oram.context(), oram.lifecycle().trimmed(), offset, BLOCK_BYTES, source, 1)));
  }

  private CompletableFuture<Void> read(int block, ByteBuffer target) {
    long offset = (long) block * BLOCK_BYTES;
    return calls.submit(
        Call.access(
            Transfer.outOf(
                oram.context(), oram.lifecycle().trimmed(), offset, BLOCK_BYTES, target, 1)));
  }

  private void fill() {
    for (int block = 0; block < BLOCKS; block++) {
      CompletableFuture<Void> written = write(block);
      turn();
      assertThat(written).isCompleted();
    }
  }

  /** Reads blocks until nothing but the path of an eviction is being read. */
  private void readUntilEvictionReads() {
    for (int block = 0; ; block = (block + 1) % BLOCKS) {
      store.hold(IoPhase.EVICT_READ);
      CompletableFuture<Void> read = read(block, ByteBuffer.allocate(BLOCK_BYTES));
      turn();
      if (read.isDone() && store.held(IoPhase.EVICT_READ) == 1) {
        return;
      }
      // What a read that closes a bucket finds left in it is read as evictions read.
      store.letAllThrough();
      turn();
    }
  }

  /**
   * As when a backup is made: what is under way ends, by which the eviction comes to its next slice
   * and chooses that; the eviction is made in one go; and calls that came meanwhile go on. All
   * paths have the root in common.
   */
  @Test
  void aReadDoesNotWaitForSlicesOfAnEvictionThatAnotherOneReplaced() throws IOException {
    nanosAlone = LONG_NANOS;
    fill();
    readUntilEvictionReads();
    assertThat(calls.hold()).isFalse();
    store.letAllThrough();
    turn();
    calls.release();
    assertThat(calls.hold()).isTrue();
    assertThat(calls.overlapStats().evictionsUnderWay()).isPositive();
    oram.engine().completePending();
    List<ByteBuffer> targets = new ArrayList<>();
    List<CompletableFuture<Void>> reads = new ArrayList<>();
    for (int block = 0; block < BLOCKS; block++) {
      targets.add(ByteBuffer.allocate(BLOCK_BYTES));
      reads.add(read(block, targets.get(block)));
    }
    turns.add(calls::released);
    turn();
    for (int block = 0; block < BLOCKS; block++) {
      assertThat(reads.get(block)).isCompleted();
      assertThat(targets.get(block).array()).isEqualTo(content(block));
    }
  }

  /** The slice that is under way ends, and the next one waits for a sync that nobody asks for. */
  @Test
  void closingDoesNotWaitForTheNextSliceOfAnEviction() throws IOException {
    nanosAlone = LONG_NANOS;
    fill();
    readUntilEvictionReads();
    CompletableFuture<Void> closed = calls.closeWhenIdle();
    turn();
    assertThat(closed).isNotDone();
    store.letAllThrough();
    turn();
    assertThat(closed).isCompleted();
  }

  /** As above, where what failed has to be made before. */
  @Test
  void aCallAfterAFailureDoesNotWaitForTheNextSliceOfAnEviction() throws IOException {
    nanosAlone = LONG_NANOS;
    fill();
    readUntilEvictionReads();
    turns.add(() -> calls.failed(new IOException("injected: sync failed")));
    CompletableFuture<Void> next = read(2, ByteBuffer.allocate(BLOCK_BYTES));
    turn();
    assertThat(next).isNotDone();
    store.letAllThrough();
    turn();
    assertThat(next).isCompleted();
  }

  /**
   * Of two calls that come together the first is made alone, since such accesses are short, and the
   * other one is not, since this one took longer. What the first left undone comes before it: else
   * blocks are missing that an eviction has chosen, and did not read.
   */
  @Test
  void whatAnAccessAloneLeftIsMadeUpForBeforeTheNextCall() throws IOException {
    assertThat(readTogether(RATE)).allMatch(read -> read.isDone());
    makeAccessesAloneJustShort();
    store.failing = true;
    nanosAlone = LONG_NANOS;
    List<CompletableFuture<Void>> reads = readTogether(BLOCKS);
    assertThat(store.failing).isFalse();
    assertThat(reads).allSatisfy(read -> assertThat(read).isCompleted());
  }

  /** Reads blocks by calls that all come before the first is begun. */
  private List<CompletableFuture<Void>> readTogether(int blocks) {
    assertThat(calls.hold()).isTrue();
    List<CompletableFuture<Void>> reads = new ArrayList<>();
    for (int block = 0; block < blocks; block++) {
      reads.add(read(block, ByteBuffer.allocate(BLOCK_BYTES)));
    }
    turns.add(calls::released);
    turn();
    return reads;
  }

  /** As short as is just enough; with the next access an eviction is due. */
  private void makeAccessesAloneJustShort() {
    AccessTime time = new AccessTime();
    int accesses = 0;
    while (!time.isShort()) {
      CompletableFuture<Void> written = write(accesses % BLOCKS);
      turn();
      assertThat(written).isCompleted();
      time.took(nanosAlone);
      accesses++;
    }
    time.took(LONG_NANOS);
    assertThat(time.isShort()).isFalse();
    assertThat(++accesses % RATE).isZero();
  }

  /** Here as a read fails that another one is behind. */
  @Test
  void whatMustNotHappenLeavesNoCallOpen() {
    store.hold(IoPhase.READ);
    List<CompletableFuture<Void>> reads = readTogether(2);
    onAnswer =
        call -> {
          onAnswer = Call::answer;
          throw new AssertionError("injected");
        };
    HeldStore.Held behind = store.takeAt(1);
    for (int tries = 0; tries < RepeatedRead.TRIES; tries++) {
      store.takeAt(0).fail();
      turn();
    }
    assertThat(reads.get(1)).isCompletedExceptionally();
    behind.letThrough();
  }

  @Test
  void callsThatNoThreadCanBeHadForFailAndLaterOnesAreMade() {
    mayWait = false;
    hasThread = false;
    CompletableFuture<Void> written = write(1);
    turn();
    assertThat(written).isCompletedExceptionally();
    CompletableFuture<Void> closed = calls.closeWhenIdle();
    turn();
    assertThat(closed).isCompletedExceptionally();
    hasThread = true;
    CompletableFuture<Void> again = write(1);
    turn();
    assertThat(again).isCompleted();
  }

  /** Those of callers who wait, and those that were held. */
  @Test
  void callsThatAreTakenInOrReleasedWithoutAThreadFail() {
    mayWait = false;
    hasThread = false;
    Call call = Call.flush();
    calls.take(call);
    assertThat(call.future()).isCompletedExceptionally();
    calls.hold();
    CompletableFuture<Void> held = write(1);
    turn();
    assertThat(held).isNotDone();
    calls.released();
    assertThat(held).isCompletedExceptionally();
    hasThread = true;
  }

  @Test
  void whoIsAtWorkDoesAllTurnsWhereThereIsNoThreadForTheRest() {
    Driver driver = new Driver(new NoThreads());
    List<Integer> done = new ArrayList<>();
    driver.execute(
        () -> {
          for (int turn = 0; turn < 20; turn++) {
            int number = turn;
            driver.execute(() -> done.add(number));
          }
        });
    assertThat(done).hasSize(20).isSorted();
  }

  @Test
  void callersAreToldWhereThereIsNoThreadForIt() {
    OwnedThreads none = new NoThreads();
    Executor thread = none.serial("answers");
    Answers answers = new Answers(new Driver(none), new CallPermits(1), thread, false);
    Call call = Call.flush();
    answers.add(call);
    answers.tell();
    assertThat(call.future()).isCompleted();
  }

  private static final class NoThreads extends OwnedThreads {
    @Override
    public Executor serial(String name) {
      return task -> {
        throw new RejectedExecutionException("injected: no thread");
      };
    }
  }
}
