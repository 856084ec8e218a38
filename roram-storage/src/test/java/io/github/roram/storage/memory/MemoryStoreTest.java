package io.github.roram.storage.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.StoreFullException;
import io.github.roram.testkit.Batches;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

final class MemoryStoreTest {

  private static final int PAGE_BYTES = 4 << 20;

  @Test
  void capacityCostsNothingUntilItIsWritten() throws IOException {
    try (MemoryStore store = new MemoryStore(Long.MAX_VALUE)) {
      ExtentBatch far = Batches.of(20_000, Long.MAX_VALUE / 2, 2);
      assertThat(Batches.read(store, far)).isEqualTo(new byte[40_000]);
      assertThat(store.allocatedBytes()).isZero();

      byte[] content = Batches.noise(40_000, 1);
      Batches.write(store, far, content);
      assertThat(Batches.read(store, far)).isEqualTo(content);
      assertThat(store.allocatedBytes()).isLessThanOrEqualTo(2L * PAGE_BYTES);
    }
  }

  @Test
  void aSmallStoreTakesNoWholePage() throws IOException {
    try (MemoryStore store = new MemoryStore(10_000)) {
      Batches.write(store, Batches.of(10_000, 0, 1), Batches.noise(10_000, 1));
      assertThat(store.allocatedBytes()).isEqualTo(10_000);
    }
  }

  @Test
  void sinksCannotChangeWhatIsStored() throws IOException {
    try (MemoryStore store = new MemoryStore(2 * PAGE_BYTES)) {
      Batches.write(store, Batches.of(100, 0, 1), Batches.noise(100, 1));
      ExtentBatch writtenUnwrittenAndStraddling =
          Batches.of(100, 0, 1, PAGE_BYTES + 5, 1, PAGE_BYTES - 50, 1);
      store.read(
          writtenUnwrittenAndStraddling, (first, units) -> assertThat(units.isReadOnly()).isTrue());
    }
  }

  @Test
  void aSourceMayReadItsOwnStore() throws IOException {
    try (MemoryStore store = new MemoryStore(3 * PAGE_BYTES)) {
      ExtentBatch from = Batches.of(1000, PAGE_BYTES - 2500, 5);
      byte[] content = Batches.noise(5000, 1);
      Batches.write(store, from, content);
      ExtentBatch to = Batches.of(1000, 2 * PAGE_BYTES - 1500, 5);
      store.write(
          to,
          (first, units) -> {
            int count = units.remaining() / 1000;
            ExtentBatch part = Batches.of(1000, PAGE_BYTES - 2500 + first * 1000L, count);
            store.read(part, (unused, read) -> units.put(read));
          });
      assertThat(Batches.read(store, to)).isEqualTo(content);
      assertThat(Batches.read(store, from)).isEqualTo(content);
    }
  }

  /** A reader that waits within its sink holds up nobody, not even on the same page. */
  @Test
  void readersDoNotWaitForEachOthersSinks() throws Exception {
    try (MemoryStore store = new MemoryStore(3 * PAGE_BYTES)) {
      ExtentBatch batch = Batches.of(1000, PAGE_BYTES - 2500, 5);
      byte[] content = Batches.noise(5000, 1);
      Batches.write(store, batch, content);
      CountDownLatch done = new CountDownLatch(1);
      byte[] slowly = new byte[5000];
      CompletableFuture<Void> slow =
          CompletableFuture.runAsync(
              () -> {
                try {
                  store.read(
                      batch,
                      (first, units) -> {
                        int from = first * 1000;
                        int bytes = units.remaining();
                        awaitQuietly(done);
                        units.get(slowly, from, bytes);
                      });
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      for (int repeat = 0; repeat < 100; repeat++) {
        assertThat(Batches.read(store, batch)).isEqualTo(content);
        Batches.write(store, Batches.of(1000, 100 + repeat, 7), Batches.noise(7000, repeat));
      }
      done.countDown();
      slow.get();
      assertThat(slowly).isEqualTo(content);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aSinkMayWriteItsOwnStore() throws IOException {
    try (MemoryStore store = new MemoryStore(3 * PAGE_BYTES)) {
      ExtentBatch from = Batches.of(1000, PAGE_BYTES - 2500, 5);
      byte[] content = Batches.noise(5000, 1);
      Batches.write(store, from, content);
      store.read(
          from,
          (first, units) -> {
            int start = units.position();
            int count = units.remaining() / 1000;
            ExtentBatch part = Batches.of(1000, 2 * PAGE_BYTES - 1500 + first * 1000L, count);
            store.write(
                part, (unit, room) -> room.put(units.slice(start + unit * 1000, room.remaining())));
          });
      assertThat(Batches.read(store, Batches.of(1000, 2 * PAGE_BYTES - 1500, 5)))
          .isEqualTo(content);
    }
  }

  @Test
  void aReadOfAStoreThatIsClosedMeanwhileFailsRatherThanGivesZeros() throws IOException {
    MemoryStore store = new MemoryStore(3 * PAGE_BYTES);
    ExtentBatch batch = Batches.of(1000, 0, 1, PAGE_BYTES + 5, 1);
    Batches.write(store, batch, Batches.noise(2000, 1));
    assertThatThrownBy(() -> store.read(batch, (first, units) -> store.close()))
        .isInstanceOf(ClosedChannelException.class);
  }

  @Test
  void steadyStateAllocatesNothing() throws IOException {
    int unitBytes = 16_480;
    ExtentBatch batch = Batches.of(unitBytes, 0, 600, 10_000_000, 300);
    byte[] unit = new byte[unitBytes];
    try (MemoryStore store = new MemoryStore(20 << 20)) {
      var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
      long allocated = 0;
      for (int round = 0; round < 50; round++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        store.write(
            batch,
            (first, units) -> {
              while (units.hasRemaining()) {
                units.put(unit);
              }
            });
        store.read(
            batch,
            (first, units) -> {
              while (units.hasRemaining()) {
                units.get(unit);
              }
            });
        allocated = threads.getCurrentThreadAllocatedBytes() - before;
      }
      assertThat(allocated).isLessThan(2000);
    }
  }

  @Test
  void memoryBeyondTheLimitOfTheJvmIsAFullStore() throws IOException {
    AtomicInteger pages = new AtomicInteger(2);
    IntFunction<ByteBuffer> limited =
        bytes -> {
          if (pages.getAndDecrement() <= 0) {
            throw new OutOfMemoryError("Cannot reserve");
          }
          return ByteBuffer.allocateDirect(bytes);
        };
    ExtentBatch threePages = Batches.of(1 << 20, 0, 12);
    byte[] content = Batches.noise(12 << 20, 1);
    try (MemoryStore store = new MemoryStore(Long.MAX_VALUE, limited)) {
      assertThatThrownBy(() -> Batches.write(store, threePages, content))
          .isInstanceOf(StoreFullException.class)
          .hasMessageContaining("besides the " + 2 * PAGE_BYTES)
          .hasMessageContaining("-XX:MaxDirectMemorySize");
      pages.set(1);
      Batches.write(store, threePages, content);
      assertThat(Batches.read(store, threePages)).isEqualTo(content);
    }
  }

  @Test
  void capacityMustBePositive() {
    for (long capacityBytes : Arrays.asList(0L, -5L)) {
      assertThatThrownBy(() -> new MemoryStore(capacityBytes))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining(Long.toString(capacityBytes));
    }
  }
}
