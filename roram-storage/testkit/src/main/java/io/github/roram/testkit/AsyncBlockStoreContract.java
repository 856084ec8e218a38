package io.github.roram.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.fail;

import io.github.roram.store.AsyncBlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.XorGroups;
import io.github.roram.threads.Futures;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The contract of every asynchronous store: extend it for each implementation. */
@Timeout(value = 2, unit = TimeUnit.MINUTES) // a request that never ends fails its test
public abstract class AsyncBlockStoreContract {

  /** Size of the stores under test in bytes. */
  public static final int CAPACITY_BYTES = BlockStoreContract.CAPACITY_BYTES;

  private static final int UNIT_BYTES = 4112;

  private final List<WatchedUnits> watched = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // each test opens one
  private AsyncBlockStore store;

  /**
   * Returns a new store of {@link #CAPACITY_BYTES} with this many requests in flight. The test
   * closes the store below in {@link #closeBelow}, after this class has closed the asynchronous
   * one.
   */
  protected abstract AsyncBlockStore newStore(int requests) throws IOException;

  /** Closes the stores below those that {@link #newStore} returned. */
  protected abstract void closeBelow() throws IOException;

  private AsyncBlockStore store(int requests) throws IOException {
    store = newStore(requests);
    return store;
  }

  @AfterEach
  final void closeStore() throws IOException {
    if (store != null) {
      store.close();
    }
    closeBelow();
    for (WatchedUnits units : watched) {
      assertThat(units.violations()).isEmpty();
    }
  }

  private WatchedUnits watch(WatchedUnits units) {
    watched.add(units);
    return units;
  }

  private CompletableFuture<Void> write(ExtentBatch batch, byte[] content) {
    return watch(WatchedUnits.of(batch, content)).write(store);
  }

  private CompletableFuture<byte[]> read(ExtentBatch batch) {
    return watch(WatchedUnits.of(batch)).read(store);
  }

  /** Returns scattered extents that overlap no others. */
  private static ExtentBatch place(int number) {
    long offset = 400_000L * number + number;
    return Batches.of(UNIT_BYTES, offset + 200_000, 7, offset, 20, offset + 100_001, 1);
  }

  private static byte[] content(int place, int version) {
    return Batches.noise((int) place(place).bytes(), 1000L * place + version);
  }

  private static void joinAll(List<? extends CompletableFuture<?>> futures) {
    futures.forEach(CompletableFuture::join);
  }

  @Test
  void hasItsCapacity() throws IOException {
    assertThat(store(1).capacityBytes()).isEqualTo(CAPACITY_BYTES);
    assertThatThrownBy(() -> newStore(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void manyRequestsOfDifferentPlacesGoTheirOwnWays() throws IOException {
    store(5);
    int places = 23;
    for (int round = 0; round < 4; round++) {
      List<CompletableFuture<Void>> writes = new ArrayList<>();
      for (int place = 0; place < places; place++) {
        writes.add(write(place(place), content(place, round)));
      }
      joinAll(writes);
      CompletableFuture<Void> synced = store.sync();
      List<CompletableFuture<byte[]>> reads = new ArrayList<>();
      for (int place = 0; place < places; place++) {
        reads.add(read(place(place)));
      }
      for (int place = 0; place < places; place++) {
        assertThat(Arrays.equals(reads.get(place).join(), content(place, round))).isTrue();
      }
      synced.join();
    }
  }

  @Test
  void manyRequestsForTheXorOfUnitsGoTheirOwnWays() throws IOException {
    store(5);
    int places = 23;
    List<CompletableFuture<Void>> requests = new ArrayList<>();
    List<XorGroups> groups = new ArrayList<>();
    List<ByteArrayOutputStream> results = new ArrayList<>();
    for (int place = 0; place < places; place++) {
      requests.add(write(place(place), content(place, 1)));
    }
    joinAll(requests);
    for (int place = 0; place < places; place++) {
      groups.add(Batches.groups(place(place), 9, place));
      results.add(new ByteArrayOutputStream());
      requests.add(
          store.readXor(
              place(place),
              groups.get(place),
              Batches.results(groups.get(place), results.get(place))));
    }
    joinAll(requests);
    for (int place = 0; place < places; place++) {
      assertThat(results.get(place).toByteArray())
          .isEqualTo(Batches.xor(groups.get(place), content(place, 1)));
    }
  }

  @Test
  void whatIsAskedForAfterAWriteCompletedSeesIt() throws IOException {
    store(4);
    CompletableFuture<?> chain = CompletableFuture.completedFuture(null);
    for (int version = 0; version < 60; version++) {
      byte[] content = content(3, version);
      chain =
          chain
              .thenCompose(before -> write(place(3), content))
              .thenCompose(written -> read(place(3)))
              .thenAccept(now -> assertThat(Arrays.equals(now, content)).isTrue());
    }
    chain.join();
  }

  @Test
  void requestsReturnAtOnceAndBeginInOrder() throws Exception {
    store(1);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    ConcurrentLinkedQueue<Integer> order = new ConcurrentLinkedQueue<>();
    List<CompletableFuture<?>> all = new ArrayList<>();
    all.add(
        watch(
                WatchedUnits.of(
                    place(0),
                    first -> {
                      begun.countDown();
                      await(goOn);
                    }))
            .read(store));
    begun.await();
    for (int i = 0; i < 40; i++) {
      int number = i;
      ExtentBatch one = Batches.of(UNIT_BYTES, 5000L * i, 1);
      all.add(watch(WatchedUnits.of(one, first -> order.add(number))).read(store));
      all.add(write(Batches.of(UNIT_BYTES, 5_000_000L + 5000L * i, 1), new byte[UNIT_BYTES]));
      all.add(store.sync());
    }
    assertThat(all).noneMatch(CompletableFuture::isDone);
    assertThat(order).isEmpty();
    goOn.countDown();
    joinAll(all);
    assertThat(List.copyOf(order)).hasSize(40).isSorted();
  }

  @Test
  void noMoreRequestsThanAgreedAreUnderWay() throws IOException {
    store(3);
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<CompletableFuture<byte[]>> reads = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      ExtentBatch batch = place(i % 20);
      WatchedUnits units =
          WatchedUnits.of(
              batch,
              first -> {
                if (first == 0) {
                  most.accumulateAndGet(now.incrementAndGet(), Math::max);
                }
                if (first == batch.units() - 1) { // an extent of its own
                  now.decrementAndGet();
                }
              });
      reads.add(watch(units).read(store));
    }
    joinAll(reads);
    assertThat(most).hasValueBetween(1, 3);
  }

  @Test
  void whatFailsTellsItByItsFutureAndDisturbsNobody() throws IOException {
    store(3);
    write(place(1), content(1, 0)).join();
    ExtentBatch beyond = Batches.of(10, 0, 5, CAPACITY_BYTES - 9, 1);
    List<CompletableFuture<byte[]>> good = new ArrayList<>();
    List<CompletableFuture<?>> mine = new ArrayList<>();
    List<CompletableFuture<?>> outside = new ArrayList<>();
    List<Throwable> thrown = new ArrayList<>();
    for (int round = 0; round < 30; round++) {
      good.add(read(place(1)));
      Throwable failure = failure(round);
      thrown.add(failure);
      WatchedUnits failing = WatchedUnits.of(place(2), first -> sneakyThrow(failure, first));
      mine.add(round % 2 == 0 ? failing.read(store) : failing.write(store));
      outside.add(store.read(beyond, (first, units) -> fail("transferred")));
      outside.add(store.write(beyond, (first, units) -> fail("transferred")));
      good.add(write(place(4), content(4, round)).thenApply(done -> content(1, 0)));
    }
    for (CompletableFuture<byte[]> right : good) {
      assertThat(Arrays.equals(right.join(), content(1, 0))).isTrue();
    }
    for (int round = 0; round < mine.size(); round++) {
      assertThat(failureOf(mine.get(round))).isSameAs(thrown.get(round));
    }
    for (CompletableFuture<?> refused : outside) {
      assertThat(failureOf(refused)).isInstanceOf(IndexOutOfBoundsException.class);
    }
    byte[] last = content(2, 7);
    write(place(2), last).join();
    assertThat(Arrays.equals(read(place(2)).join(), last)).isTrue();
  }

  private static Throwable failure(int round) {
    return switch (round % 3) {
      case 0 -> new IOException("mine " + round);
      case 1 -> new IllegalStateException("mine " + round);
      default -> new AssertionError("mine " + round);
    };
  }

  @Test
  void aBatchIsItsUsersAgainOnceTheRequestEnded() throws IOException {
    store(2);
    ExtentBatch reused = new ExtentBatch();
    for (int round = 0; round < 200; round++) {
      int place = round % 20;
      boolean fails = round % 3 == 0;
      ExtentBatch pattern = place(place);
      reused.reset(pattern.phase(), pattern.tree(), UNIT_BYTES);
      for (int extent = 0; extent < pattern.extents(); extent++) {
        reused.add(pattern.offset(extent), pattern.units(extent));
      }
      WatchedUnits units =
          WatchedUnits.of(
              reused,
              first -> {
                if (fails && first > 0) {
                  throw new IOException("mine");
                }
              });
      CompletableFuture<byte[]> reading = units.read(store);
      if (fails) {
        assertThat(failureOf(reading)).hasMessage("mine");
      } else {
        watch(units);
        assertThat(reading.join()).isEqualTo(new byte[(int) reused.bytes()]);
      }
      reused.reset(pattern.phase(), pattern.tree(), 1).add(0, 1);
    }
  }

  @Test
  void stagesAndSinksMayAskForMore() throws IOException {
    store(1);
    byte[] content = content(5, 1);
    List<CompletableFuture<byte[]>> further = new ArrayList<>();
    write(place(5), content)
        .thenCompose(
            written ->
                watch(
                        WatchedUnits.of(
                            place(6),
                            first -> {
                              further.add(read(place(5)));
                            }))
                    .read(store))
        .join();
    assertThat(further).isNotEmpty();
    for (CompletableFuture<byte[]> more : further) {
      assertThat(Arrays.equals(more.join(), content)).isTrue();
    }
  }

  @Test
  void emptyBatchesTransferNothing() throws IOException {
    store(1);
    ExtentBatch empty = Batches.of(UNIT_BYTES);
    store.read(empty, (first, units) -> fail("piece for an empty batch")).join();
    store.write(empty, (first, units) -> fail("piece for an empty batch")).join();
  }

  @Test
  void anInterruptedCallerIsServedAndStaysInterrupted() throws IOException {
    store(2);
    byte[] content = content(1, 4);
    CompletableFuture<byte[]> reading;
    Thread.currentThread().interrupt();
    try {
      reading = write(place(1), content).thenCompose(done -> read(place(1)));
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(Arrays.equals(reading.join(), content)).isTrue();
  }

  @Test
  void closingEndsWhatIsUnderWayAndWhatWaits() throws Exception {
    store(2);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicBoolean closed = new AtomicBoolean();
    List<CompletableFuture<?>> all = new ArrayList<>();
    WatchedUnits.Step step =
        first -> {
          begun.countDown();
          await(goOn);
          if (closed.get()) {
            fail("called after close returned");
          }
        };
    for (int i = 0; i < 20; i++) {
      WatchedUnits units = watch(WatchedUnits.of(place(i), step));
      all.add(i % 2 == 0 ? units.read(store) : units.write(store));
      all.add(store.sync());
    }
    begun.await();
    Thread closing =
        new Thread(
            () -> {
              store.close();
              closed.set(true);
            });
    closing.start();
    List<CompletableFuture<Void>> late = new ArrayList<>();
    try {
      // A store that never refuses is interrupted here when the time of this test is over.
      for (CompletableFuture<Void> next = store.sync();
          !next.isCompletedExceptionally();
          next = store.sync()) {
        late.add(next);
        Thread.sleep(1);
      }
    } finally {
      goOn.countDown();
    }
    closing.join();
    assertThat(all).allMatch(CompletableFuture::isDone);
    assertThat(late).allMatch(CompletableFuture::isDone);
    int failed = 0;
    for (CompletableFuture<?> one : all) {
      if (one.isCompletedExceptionally()) {
        assertThat(failureOf(one)).isInstanceOf(ClosedChannelException.class);
        failed++;
      }
    }
    assertThat(failed).isBetween(1, all.size());
  }

  @Test
  void closingTwiceIsOneCloseAndEverythingElseFailsAfterIt() throws IOException {
    store(2);
    write(place(0), content(0, 0)).join();
    store.close();
    store.close();
    ExtentBatch batch = Batches.of(1, 0, 1);
    List<CompletableFuture<Void>> late =
        List.of(
            store.read(batch, (first, units) -> fail("transferred")),
            store.write(batch, (first, units) -> fail("transferred")),
            store.sync());
    for (CompletableFuture<Void> one : late) {
      assertThat(one).isDone();
      assertThat(failureOf(one)).isInstanceOf(ClosedChannelException.class);
    }
  }

  /** Waits for a future to fail, and returns its failure. */
  static Throwable failureOf(CompletableFuture<?> future) {
    try {
      future.join();
    } catch (CompletionException e) {
      return Futures.cause(e);
    }
    return new AssertionError("did not fail");
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Throws behind the first piece, where there is a second one. */
  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void sneakyThrow(Throwable failure, int firstUnit) throws E {
    if (firstUnit > 0) {
      throw (E) failure;
    }
  }
}
