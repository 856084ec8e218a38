package io.github.roram.storage.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.testkit.Batches;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReadAheadTest {

  private static final int UNIT_BYTES = 1000;
  private static final int UNITS = 400;
  private static final int DEPTH = 4;
  private static final FileOptions OPTIONS = FileOptions.defaults().withReadDepth(DEPTH);
  private static final ExtentBatch ALL = Batches.of(UNIT_BYTES, 0, UNITS);
  private static final byte[] CONTENT = Batches.noise(UNIT_BYTES * UNITS, 1);

  private final SlowChannels medium = new SlowChannels();
  @TempDir Path directory;

  @BeforeEach
  void createFilled() throws IOException {
    try (BlockStore store = SegmentFileStore.create(directory, CONTENT.length, OPTIONS)) {
      Batches.write(store, ALL, CONTENT);
    }
  }

  /** Every other unit, from the last to the first. */
  private static ExtentBatch scattered() {
    ExtentBatch batch = new ExtentBatch().reset(IoPhase.READ, 0, UNIT_BYTES);
    for (int unit = UNITS - 1; unit >= 0; unit -= 2) {
      batch.add((long) unit * UNIT_BYTES, 1);
    }
    return batch;
  }

  private static byte[] contentOf(ExtentBatch batch) {
    byte[] content = new byte[(int) batch.bytes()];
    int at = 0;
    for (int i = 0; i < batch.extents(); i++) {
      System.arraycopy(CONTENT, (int) batch.offset(i), content, at, (int) batch.bytes(i));
      at += (int) batch.bytes(i);
    }
    return content;
  }

  @Test
  void asManyReadAtTheSameTimeAsTheDepthSaysAndNoMore() throws IOException {
    CountDownLatch together = new CountDownLatch(DEPTH);
    try (BlockStore store = medium.openStore(directory, OPTIONS)) {
      Batches.read(store, scattered());
      medium.duringReads(
          (file, position) -> {
            together.countDown();
            awaitForLong(together);
          });
      assertThat(Batches.read(store, scattered())).isEqualTo(contentOf(scattered()));
    }
    assertThat(together.getCount()).isZero();
    assertThat(medium.mostReading()).isEqualTo(DEPTH);
    assertThat(medium.readers()).hasSizeLessThanOrEqualTo(DEPTH);
  }

  private static void awaitForLong(CountDownLatch latch) throws IOException {
    try {
      if (!latch.await(1, TimeUnit.MINUTES)) {
        throw new IOException("reads are not made at the same time");
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void depthOneReadsOnTheCallingThreadAlone() throws IOException {
    try (BlockStore store = medium.openStore(directory, OPTIONS.withReadDepth(1))) {
      assertThat(Batches.read(store, scattered())).isEqualTo(contentOf(scattered()));
    }
    assertThat(medium.readers()).containsExactly(Thread.currentThread());
  }

  @Test
  void aFailureShowsWhereItsPieceIsDueAndEndsTheBatch() throws IOException {
    ExtentBatch batch = scattered();
    IOException failure = new IOException("injected: read");
    for (int broken : new int[] {0, 1, 17, batch.extents() - 1}) {
      try (BlockStore store = medium.openStore(directory, OPTIONS)) {
        Batches.read(store, batch);
        medium.duringReads(
            (file, position) -> {
              if (position == batch.offset(broken)) {
                throw failure;
              }
            });
        List<Integer> handedOver = new ArrayList<>();
        assertThatThrownBy(() -> store.read(batch, (first, units) -> handedOver.add(first)))
            .isSameAs(failure);
        assertThat(medium.reading()).isZero();
        assertThat(handedOver).hasSize(broken).isSorted();

        medium.duringReads(SlowChannels.Step.NONE);
        assertThat(Batches.read(store, batch)).isEqualTo(contentOf(batch));
      }
    }
  }

  @Test
  void ofTwoFailuresTheFirstInTheBatchShows() throws IOException {
    ExtentBatch batch = scattered();
    CountDownLatch laterFailed = new CountDownLatch(1);
    try (BlockStore store = medium.openStore(directory, OPTIONS)) {
      Batches.read(store, batch);
      medium.duringReads(
          (file, position) -> {
            if (position == batch.offset(3)) {
              laterFailed.countDown();
              throw new IOException("injected: later");
            }
            if (position == batch.offset(2)) {
              awaitForLong(laterFailed);
              throw new IllegalStateException("injected: earlier");
            }
          });
      assertThatThrownBy(() -> store.read(batch, (first, units) -> {}))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("injected: earlier");
      assertThat(medium.reading()).isZero();
    }
  }

  @Test
  void whenTheSinkGivesUpNoReadIsLeftBehind() throws IOException {
    ExtentBatch batch = scattered();
    try (BlockStore store = medium.openStore(directory, OPTIONS)) {
      for (int last = 0; last < 30; last++) {
        int end = last;
        assertThatThrownBy(
                () ->
                    store.read(
                        batch,
                        (first, units) -> {
                          if (first == end) {
                            throw new IOException("mine");
                          }
                        }))
            .hasMessage("mine");
        assertThat(medium.reading()).isZero();
        assertThat(Batches.read(store, ALL)).isEqualTo(CONTENT);
      }
    }
  }

  @Test
  void aSinkMayReadItself() throws IOException {
    ExtentBatch batch = scattered();
    ExtentBatch single = Batches.of(UNIT_BYTES, 0, 1);
    byte[] first = Arrays.copyOf(CONTENT, UNIT_BYTES);
    List<Boolean> right = new ArrayList<>();
    try (BlockStore store = medium.openStore(directory, OPTIONS)) {
      store.read(
          batch, (unit, units) -> right.add(Arrays.equals(Batches.read(store, single), first)));
    }
    assertThat(right).hasSize(batch.extents()).doesNotContain(false);
  }

  @Test
  void manyBatchesAtTheSameTimeKeepApart() throws Exception {
    int callers = 6;
    ExecutorService executor = Executors.newFixedThreadPool(callers);
    try (BlockStore store = medium.openStore(directory, OPTIONS)) {
      List<Future<?>> results = new ArrayList<>();
      for (int caller = 0; caller < callers; caller++) {
        SplittableRandom random = new SplittableRandom(caller);
        results.add(
            executor.submit(
                () -> {
                  for (int i = 0; i < 40; i++) {
                    ExtentBatch batch = new ExtentBatch().reset(IoPhase.READ, 0, UNIT_BYTES);
                    for (int extents = random.nextInt(1, 20); extents > 0; extents--) {
                      int units = random.nextInt(1, 20);
                      batch.add((long) random.nextInt(UNITS - units) * UNIT_BYTES, units);
                    }
                    assertThat(Batches.read(store, batch)).isEqualTo(contentOf(batch));
                  }
                  return null;
                }));
      }
      for (Future<?> result : results) {
        result.get();
      }
    } finally {
      executor.shutdownNow();
    }
    assertThat(medium.mostReading()).isLessThanOrEqualTo(callers + DEPTH - 1);
  }

  @Test
  void readsGoOnWhilePiecesAreHandedOver() throws IOException {
    int pieces = scattered().extents();
    Semaphore begun = new Semaphore(0);
    try (BlockStore store = medium.openStore(directory, OPTIONS)) {
      Batches.read(store, scattered()); // now it is known to be slow
      medium.duringReads((file, position) -> begun.release());
      begun.drainPermits();
      AtomicInteger handedOver = new AtomicInteger();
      store.read(
          scattered(),
          (first, units) -> {
            // As many reads as the window has room for next to the piece at hand.
            int ahead = Math.min(2 * DEPTH, pieces - handedOver.getAndIncrement());
            try {
              assertThat(begun.tryAcquire(ahead, 1, TimeUnit.MINUTES)).isTrue();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
            begun.release(ahead - 1);
          });
      assertThat(handedOver.get()).isEqualTo(pieces);
    }
  }

  @Test
  void closingEndsTheThreadsAndTheBatchUnderWay() throws Exception {
    CountDownLatch helped = new CountDownLatch(1);
    ExecutorService executor = Executors.newSingleThreadExecutor();
    BlockStore store = medium.openStore(directory, OPTIONS);
    try {
      Batches.read(store, scattered());
      medium.duringReads(
          (file, position) -> {
            if (Thread.currentThread().getName().equals(ReadAhead.THREAD_NAME)) {
              helped.countDown();
            }
          });
      Future<?> endless =
          executor.submit(
              () -> {
                while (true) {
                  store.read(scattered(), (first, units) -> {});
                }
              });
      awaitForLong(helped);
      store.close();
      assertThatThrownBy(endless::get).hasCauseInstanceOf(ClosedChannelException.class);
      Set<Thread> helpers = new HashSet<>(medium.readers());
      helpers.removeIf(thread -> !thread.getName().equals(ReadAhead.THREAD_NAME));
      assertThat(helpers).isNotEmpty().allMatch(Thread::isDaemon);
      for (Thread helper : helpers) {
        helper.join(60_000); // its executor counts it out a little before it is gone
      }
      assertThat(helpers).noneMatch(Thread::isAlive);
    } finally {
      executor.shutdownNow();
    }
  }
}
