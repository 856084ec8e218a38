package io.github.roram.storage.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.storage.file.SegmentChannels.SegmentAccess;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.store.StoreFullException;
import io.github.roram.testkit.Batches;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A medium that takes whole blocks only, on any file system: the channel refuses others. */
final class DirectWritesTest {

  private static final int BLOCK_BYTES = 4096;
  private static final int UNIT_BYTES = 50_001;
  private static final int CAPACITY_BYTES = 10 << 20;
  private static final FileOptions OPTIONS =
      FileOptions.defaults().withSegmentBytes(4 << 20).withReadDepth(1);

  @TempDir Path directory;
  private final AtomicLong roomBytes = new AtomicLong(Long.MAX_VALUE);
  private final AtomicInteger blocksRead = new AtomicInteger();
  private final Set<Thread> writers = ConcurrentHashMap.newKeySet();
  private volatile FaultyChannel.WriteHook duringWrites = (position, bytes) -> {};

  @BeforeEach
  void create() throws IOException {
    SegmentFileStore.create(directory, CAPACITY_BYTES, OPTIONS).close();
  }

  private SegmentFileStore open() throws IOException {
    return SegmentFileStore.open(
        directory,
        OPTIONS,
        (where, descriptor, directIo) -> new SegmentAccess(BLOCK_BYTES, this::channel));
  }

  private FileChannel channel(Path file) throws IOException {
    FileChannel real = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    FaultyChannel channel = new FaultyChannel(real, roomBytes, 100 * BLOCK_BYTES);
    channel.beforeReads(
        position -> {
          assertThat(position % BLOCK_BYTES).isZero();
          blocksRead.incrementAndGet();
        });
    channel.beforeWrites(
        (position, bytes) -> {
          assertThat(position % BLOCK_BYTES).isZero();
          assertThat(bytes % BLOCK_BYTES).isZero();
          writers.add(Thread.currentThread());
          duringWrites.run(position, bytes);
        });
    return channel;
  }

  /** A write of several pieces, most of them long. */
  private static ExtentBatch longBatch() {
    return Batches.of(UNIT_BYTES, 777, 60, 5_000_000, 1, 6_000_123, 45);
  }

  private static byte[] noise(ExtentBatch batch, long seed) {
    return Batches.noise((int) batch.bytes(), seed);
  }

  @Test
  void extentsOfAnyLengthAreWrittenAndTheirNeighboursKept() throws IOException {
    SplittableRandom random = new SplittableRandom(5);
    byte[] model = new byte[CAPACITY_BYTES];
    try (BlockStore store = open()) {
      for (int round = 0; round < 60; round++) {
        int unitBytes = random.nextInt(1, 1 << random.nextInt(2, 21));
        ExtentBatch batch = new ExtentBatch().reset(IoPhase.EVICT_WRITE, 0, unitBytes);
        int end = random.nextInt(CAPACITY_BYTES / 4);
        while (end + unitBytes <= CAPACITY_BYTES && batch.extents() < 8) {
          int units = random.nextInt(1, 1 + Math.min(100_000, (CAPACITY_BYTES - end) / unitBytes));
          batch.add(end, units);
          end += units * unitBytes + random.nextInt(BLOCK_BYTES);
        }
        byte[] content = noise(batch, round);
        Batches.write(store, batch, content);
        for (int i = 0; i < batch.extents(); i++) {
          int from = batch.firstUnit(i) * unitBytes;
          System.arraycopy(content, from, model, (int) batch.offset(i), (int) batch.bytes(i));
        }
        assertThat(Batches.read(store, Batches.of(CAPACITY_BYTES, 0, 1))).isEqualTo(model);
      }
    }
    assertThat(writers).extracting(Thread::getName).contains(DirectWrites.THREAD_NAME);
  }

  @Test
  void neighboursThatAreWrittenAtTheSameTimeKeepWhatTheyShareABlockWith() throws Exception {
    int threads = 3;
    int stripeBytes = 1_200_001;
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try (BlockStore store = open()) {
      for (int round = 0; round < 8; round++) {
        List<Future<?>> writes = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
          ExtentBatch stripe = Batches.of(stripeBytes, (long) i * stripeBytes, 1);
          byte[] content = noise(stripe, round * threads + i);
          writes.add(
              executor.submit(
                  () -> {
                    Batches.write(store, stripe, content);
                    return null;
                  }));
        }
        for (Future<?> write : writes) {
          write.get();
        }
        for (int i = 0; i < threads; i++) {
          ExtentBatch stripe = Batches.of(stripeBytes, (long) i * stripeBytes, 1);
          assertThat(Batches.read(store, stripe)).isEqualTo(noise(stripe, round * threads + i));
        }
      }
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  void onlyTheBlocksAtTheEndsOfExtentsAreRead() throws IOException {
    ExtentBatch batch = longBatch();
    try (BlockStore store = open()) {
      Batches.write(store, batch, noise(batch, 1));
      assertThat(blocksRead.get()).isLessThanOrEqualTo(2 * batch.extents());
    }
  }

  @Test
  void aPieceIsFilledWhileTheOneBeforeIsWritten() throws IOException {
    CountDownLatch secondFilled = new CountDownLatch(2);
    duringWrites =
        (position, bytes) -> {
          try {
            if (!secondFilled.await(1, TimeUnit.MINUTES)) {
              throw new IOException("the second piece is not filled before the first is written");
            }
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        };
    ExtentBatch batch = longBatch();
    byte[] content = noise(batch, 2);
    try (BlockStore store = open()) {
      store.write(
          batch,
          (first, units) -> {
            units.put(content, first * UNIT_BYTES, units.remaining());
            secondFilled.countDown();
          });
      assertThat(Batches.read(store, batch)).isEqualTo(content);
    }
  }

  @Test
  void aFullVolumeFailsTheWriteWhereverItIs() throws IOException {
    ExtentBatch batch = longBatch();
    try (BlockStore store = open()) {
      for (int room = 0; room < batch.bytes(); room += 401 * BLOCK_BYTES) {
        roomBytes.set(room);
        assertThatThrownBy(() -> Batches.write(store, batch, noise(batch, 3)))
            .isInstanceOf(StoreFullException.class);
        roomBytes.set(Long.MAX_VALUE);
        byte[] next = noise(batch, room);
        Batches.write(store, batch, next);
        assertThat(Batches.read(store, batch)).isEqualTo(next);
      }
    }
  }

  @Test
  void aSourceThatFailsEndsTheWriteOnceNothingIsUnderWay() throws IOException {
    AtomicInteger underWay = new AtomicInteger();
    duringWrites =
        (position, bytes) -> {
          underWay.incrementAndGet();
          LockSupport.parkNanos(2_000_000);
          underWay.decrementAndGet();
        };
    try (BlockStore store = open()) {
      assertThatThrownBy(
              () ->
                  store.write(
                      longBatch(),
                      (first, units) -> {
                        if (first > 30) {
                          throw new IllegalStateException("injected: source");
                        }
                        units.position(units.limit());
                      }))
          .hasMessage("injected: source");
      assertThat(underWay.get()).isZero();
      byte[] content = noise(longBatch(), 4);
      Batches.write(store, longBatch(), content);
      assertThat(Batches.read(store, longBatch())).isEqualTo(content);
    }
  }

  @Test
  void anInterruptBreaksNothing() throws IOException {
    byte[] content = noise(longBatch(), 5);
    try (BlockStore store = open()) {
      Thread.currentThread().interrupt();
      Batches.write(store, longBatch(), content);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(Batches.read(store, longBatch())).isEqualTo(content);
    }
  }

  @Test
  void closingEndsTheThread() throws Exception {
    BlockStore store = open();
    Batches.write(store, longBatch(), noise(longBatch(), 6));
    store.close();
    assertThatThrownBy(() -> Batches.write(store, longBatch(), noise(longBatch(), 6)))
        .isInstanceOf(ClosedChannelException.class);
    assertThat(writers).hasSize(2).contains(Thread.currentThread());
    for (Thread writer : writers) {
      if (!writer.equals(Thread.currentThread())) {
        assertThat(writer.isDaemon()).isTrue();
        writer.join(60_000);
        assertThat(writer.isAlive()).isFalse();
      }
    }
  }
}
