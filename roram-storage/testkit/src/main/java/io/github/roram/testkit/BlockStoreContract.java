package io.github.roram.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.fail;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.XorGroups;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of every store: extend it for each implementation. */
public abstract class BlockStoreContract {

  /** Size of the stores: crosses two pages of the memory store, and is no multiple of anything. */
  public static final int CAPACITY_BYTES = (9 << 20) + 123;

  private static final int UNIT_BYTES = 16_480;

  /** Time between two interrupts of all threads, which also take a processor from them. */
  private static final long INTERRUPTION_NANOS = 20_000;

  private BlockStore store;

  /** Returns a new store of {@link #CAPACITY_BYTES}; it is closed after the test. */
  protected abstract BlockStore newStore() throws IOException;

  /** Reopens the store after it was closed; empty, as by default, if closing ends it. */
  protected Optional<BlockStore> reopen() throws IOException {
    return Optional.empty();
  }

  /** Returns whether the store keeps watermarks; the tests call one that does not, all the same. */
  protected boolean keepsWatermarks() {
    return true;
  }

  @BeforeEach
  final void openStore() throws IOException {
    store = newStore();
  }

  @AfterEach
  final void closeStore() throws IOException {
    if (store != null) {
      store.close();
    }
  }

  @Test
  void hasItsCapacity() {
    assertThat(store.capacityBytes()).isEqualTo(CAPACITY_BYTES);
  }

  @Test
  void bytesNeverWrittenReadAsZeros() throws IOException {
    ExtentBatch all = Batches.of(CAPACITY_BYTES, 0, 1);
    assertThat(Batches.read(store, all)).isEqualTo(new byte[CAPACITY_BYTES]);
    assertThat(Batches.read(store, Batches.of(1, 0, CAPACITY_BYTES)))
        .isEqualTo(new byte[CAPACITY_BYTES]);

    Batches.write(store, Batches.of(1, 5_000_000, 1), new byte[] {1});
    byte[] expected = new byte[CAPACITY_BYTES];
    expected[5_000_000] = 1;
    assertThat(Batches.read(store, all)).isEqualTo(expected);
  }

  @Test
  void returnsWhatWasWrittenInAnyOrderOfExtents() throws IOException {
    long lastUnit = CAPACITY_BYTES - UNIT_BYTES;
    ExtentBatch scattered =
        Batches.of(UNIT_BYTES, lastUnit, 1, 100, 200, 4_194_000, 3, 8_000_001, 2);
    byte[] content = Batches.noise((int) scattered.bytes(), 1);
    Batches.write(store, scattered, content);
    store.sync();

    assertThat(Batches.read(store, scattered)).isEqualTo(content);
    assertThat(Batches.read(store, Batches.of(UNIT_BYTES, lastUnit, 1)))
        .isEqualTo(Arrays.copyOf(content, UNIT_BYTES));
    assertThat(Batches.read(store, Batches.of(1, 0, 100))).isEqualTo(new byte[100]);
  }

  @Test
  void aStoreThatCanBeExtendedKeepsWhatItHasAndReadsZerosBehind() throws IOException {
    ExtentBatch all = Batches.of(CAPACITY_BYTES, 0, 1);
    byte[] content = Batches.noise(CAPACITY_BYTES, 5);
    Batches.write(store, all, content);
    long larger = CAPACITY_BYTES + 5_000_003L;
    if (!store.extend(larger)) {
      assertThat(store.capacityBytes()).isEqualTo(CAPACITY_BYTES);
      return;
    }
    assertThat(store.capacityBytes()).isEqualTo(larger);
    ExtentBatch end = Batches.of(3, CAPACITY_BYTES - 1, 1, larger - 3, 1);
    byte[] last = {content[CAPACITY_BYTES - 1], 0, 0, 0, 0, 0};
    assertThat(Batches.read(store, end)).isEqualTo(last);
    Batches.write(store, end, new byte[] {1, 2, 3, 4, 5, 6});
    content[CAPACITY_BYTES - 1] = 1;
    assertThat(Batches.read(store, all)).isEqualTo(content);
    assertThat(Batches.read(store, end)).containsExactly(1, 2, 3, 4, 5, 6);
    if (isReopened()) {
      assertThat(store.capacityBytes()).isEqualTo(larger);
      assertThat(Batches.read(store, end)).containsExactly(1, 2, 3, 4, 5, 6);
    }
  }

  @Test
  void aStoreThatIsExtendedKeepsWhatIsWrittenMeanwhile() throws Exception {
    int unitBytes = CAPACITY_BYTES / 64;
    byte[] content = Batches.noise(64 * unitBytes, 6);
    ExecutorService writer = Executors.newSingleThreadExecutor();
    try {
      Future<?> written =
          writer.submit(
              () -> {
                for (int unit = 0; unit < 64; unit++) {
                  byte[] bytes =
                      Arrays.copyOfRange(content, unit * unitBytes, (unit + 1) * unitBytes);
                  Batches.write(store, Batches.of(unitBytes, (long) unit * unitBytes, 1), bytes);
                }
                return null;
              });
      for (long more = 1; more <= 8 && store.extend(CAPACITY_BYTES + more); more++) {
        assertThat(store.capacityBytes()).isEqualTo(CAPACITY_BYTES + more);
      }
      written.get();
    } finally {
      writer.shutdown();
    }
    assertThat(Batches.read(store, Batches.of(64 * unitBytes, 0, 1))).isEqualTo(content);
  }

  @Test
  void theXorOfUnitsIsThatOfTheUnitsThatItHas() throws IOException {
    byte[] content = Batches.noise(CAPACITY_BYTES, 8);
    Batches.write(store, Batches.of(CAPACITY_BYTES, 0, 1), content);
    SplittableRandom random = new SplittableRandom(9);
    for (int unitBytes : new int[] {10, 563, 4148, 300_007}) {
      ExtentBatch batch = Batches.of(unitBytes);
      int extents = 1 + random.nextInt(Math.min(2_000_000 / unitBytes, 10_000));
      for (int extent = 0; extent < extents; extent++) {
        batch.add(random.nextLong(CAPACITY_BYTES - 2 * unitBytes), 1 + random.nextInt(2));
      }
      XorGroups groups = Batches.groups(batch, 6, unitBytes);
      ByteArrayOutputStream results = new ByteArrayOutputStream();
      store.readXor(batch, groups, Batches.results(groups, results));
      assertThat(results.toByteArray())
          .isEqualTo(Batches.xor(groups, Batches.read(store, batch)))
          .hasSize((int) groups.bytes());
    }
    ExtentBatch batch = Batches.of(100, 5, 3);
    XorGroups one = new XorGroups(100, 12, 0).add(3);
    for (Exception failure : List.of(new IOException("mine"), new IllegalStateException("mine"))) {
      assertThatThrownBy(() -> store.readXor(batch, one, (group, result) -> sneakyThrow(failure)))
          .isSameAs(failure);
    }
    ExtentBatch beyond = Batches.of(100, CAPACITY_BYTES - 299, 3);
    assertThatThrownBy(() -> store.readXor(beyond, one, (group, result) -> fail("transferred")))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void takesUnitsOfAnyLength() throws IOException {
    for (int unitBytes : new int[] {1, 7, 4096, 1 << 20, 5_000_011}) {
      ExtentBatch batch = Batches.of(unitBytes, 1_234_567, Math.min(3, 7_000_000 / unitBytes));
      byte[] content = Batches.noise((int) batch.bytes(), unitBytes);
      Batches.write(store, batch, content);
      assertThat(Batches.read(store, batch)).isEqualTo(content);
    }
  }

  @Test
  void emptyBatchesTransferNothing() throws IOException {
    ExtentBatch empty = Batches.of(UNIT_BYTES);
    store.read(empty, (first, units) -> fail("piece for an empty batch"));
    store.write(empty, (first, units) -> fail("piece for an empty batch"));
  }

  @Test
  void refusesExtentsOutOfBoundsBeforeAnythingIsTransferred() {
    ExtentBatch beyond = Batches.of(10, 0, 5, CAPACITY_BYTES - 9, 1);
    ExtentBatch far = Batches.of(10, Long.MAX_VALUE - 5, 1);
    for (ExtentBatch batch : List.of(beyond, far)) {
      assertThatThrownBy(() -> store.read(batch, (first, units) -> fail("transferred")))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining(Integer.toString(CAPACITY_BYTES));
      assertThatThrownBy(() -> store.write(batch, (first, units) -> fail("transferred")))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void exceptionsOfSinkAndSourcePassThrough() throws IOException {
    ExtentBatch batch = Batches.of(UNIT_BYTES, 0, 10);
    for (Exception failure : List.of(new IOException("mine"), new IllegalStateException("mine"))) {
      assertThatThrownBy(() -> store.read(batch, (first, units) -> sneakyThrow(failure)))
          .isSameAs(failure);
      assertThatThrownBy(() -> store.write(batch, (first, units) -> sneakyThrow(failure)))
          .isSameAs(failure);
    }
    byte[] content = Batches.noise((int) batch.bytes(), 2);
    Batches.write(store, batch, content);
    assertThat(Batches.read(store, batch)).isEqualTo(content);
  }

  @Test
  void aFailedWriteTouchesNothingOutsideOfItsExtents() throws IOException {
    ExtentBatch all = Batches.of(CAPACITY_BYTES, 0, 1);
    byte[] before = Batches.noise(CAPACITY_BYTES, 3);
    Batches.write(store, all, before);
    ExtentBatch batch = Batches.of(UNIT_BYTES, 4_190_001, 100, 1_000_001, 3);
    assertThatThrownBy(
            () ->
                store.write(
                    batch,
                    (first, units) -> {
                      units.put((byte) 77);
                      if (first >= 100) {
                        throw new IOException("mine");
                      }
                    }))
        .hasMessage("mine");
    byte[] after = Batches.read(store, all);
    for (int extent = 0; extent < batch.extents(); extent++) {
      int from = (int) batch.offset(extent);
      System.arraycopy(before, from, after, from, (int) batch.bytes(extent));
    }
    assertThat(Arrays.equals(after, before)).isTrue();
  }

  @Test
  void whatUsersDoToAPieceIsForgotten() throws IOException {
    ExtentBatch batch = Batches.of(8, 4_194_300, 3);
    for (int repeat = 0; repeat < 3; repeat++) {
      store.write(
          batch,
          (first, units) -> {
            assertThat(units.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
            units.order(ByteOrder.LITTLE_ENDIAN);
            for (int unit = first; units.hasRemaining(); unit++) {
              units.putLong(unit);
            }
            units.flip();
          });
      store.read(
          batch,
          (first, units) -> {
            assertThat(units.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
            units.order(ByteOrder.LITTLE_ENDIAN);
            assertThat(units.getLong()).isEqualTo(first);
            units.limit(units.position());
          });
    }
  }

  @Test
  void anInterruptedCallerIsServedAndStaysInterrupted() throws IOException {
    ExtentBatch batch = Batches.of(UNIT_BYTES, 1000, 200);
    byte[] content = Batches.noise((int) batch.bytes(), 4);
    byte[] read;
    Thread.currentThread().interrupt();
    try {
      Batches.write(store, batch, content);
      store.sync();
      read = Batches.read(store, batch);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(read).isEqualTo(content);
  }

  @Test
  void servesSeveralThreadsHoweverOftenTheyAreInterrupted() throws Exception {
    int threads = 4;
    int areaBytes = CAPACITY_BYTES / threads;
    List<Thread> workers = new CopyOnWriteArrayList<>();
    ExecutorService executor =
        Executors.newFixedThreadPool(
            threads,
            task -> {
              Thread worker = new Thread(task);
              workers.add(worker);
              return worker;
            });
    try {
      List<Future<Void>> results = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        results.add(executor.submit(hammer(thread * (long) areaBytes, thread)));
      }
      for (Future<Void> result : results) {
        while (!result.isDone()) {
          workers.forEach(Thread::interrupt);
          LockSupport.parkNanos(INTERRUPTION_NANOS);
        }
        result.get();
      }
    } finally {
      executor.shutdownNow();
    }
  }

  /** Writes and reads a separate area again and again. */
  private Callable<Void> hammer(long areaOffset, int thread) {
    return () -> {
      ExtentBatch batch = Batches.of(UNIT_BYTES, areaOffset + 1, 90, areaOffset + 2_000_003, 13);
      for (int round = 0; round < 8; round++) {
        byte[] content = Batches.noise((int) batch.bytes(), 100L * thread + round);
        Batches.write(store, batch, content);
        if (round % 4 == 0) {
          store.sync();
        }
        assertThat(Arrays.equals(Batches.read(store, batch), content)).isTrue();
      }
      return null;
    };
  }

  @Test
  void closingTwiceIsOneCloseAndEverythingElseFailsAfterIt() throws IOException {
    store.close();
    store.close();
    ExtentBatch batch = Batches.of(1, 0, 1);
    assertThatThrownBy(() -> store.read(batch, (first, units) -> fail("transferred")))
        .isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(() -> store.write(batch, (first, units) -> fail("transferred")))
        .isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(store::sync).isInstanceOf(ClosedChannelException.class);
    if (keepsWatermarks()) {
      assertThatThrownBy(() -> store.keepWatermark(watermark(1), true))
          .isInstanceOf(ClosedChannelException.class);
      assertThatThrownBy(store::watermarks).isInstanceOf(ClosedChannelException.class);
    }
  }

  private static byte[] watermark(int number) {
    return Batches.noise(BlockStore.WATERMARK_BYTES, number);
  }

  /** Closes and reopens the store; returns false if closing ends it. */
  private boolean isReopened() throws IOException {
    store.close();
    Optional<BlockStore> again = reopen();
    again.ifPresent(opened -> store = opened);
    return again.isPresent();
  }

  /** Keeps a watermark; checks that the store copies the arrays that it takes and returns. */
  private void keep(int number, boolean durably) throws IOException {
    byte[] given = watermark(number);
    store.keepWatermark(given, durably);
    Arrays.fill(given, (byte) 0);
    store.watermarks().forEach(found -> Arrays.fill(found, (byte) 0));
  }

  @Test
  void theNewestWatermarkIsKept() throws IOException {
    assertThat(store.watermarks()).isEmpty();
    boolean isOpen = true;
    for (int number = 1; isOpen && number <= 6; number++) {
      boolean durably = number % 2 == 0;
      keep(number, durably);
      if (!keepsWatermarks()) {
        assertThat(store.watermarks()).isEmpty();
        return;
      }
      assertThat(store.watermarks()).contains(watermark(number));
      if (number % 3 > 0) {
        store.sync();
        isOpen = isReopened();
        if (isOpen) {
          assertThat(store.watermarks()).contains(watermark(number));
        }
      }
    }
  }

  @Test
  void aWatermarkIsNoPartOfTheBytes() throws IOException {
    ExtentBatch all = Batches.of(CAPACITY_BYTES, 0, 1);
    byte[] content = Batches.noise(CAPACITY_BYTES, 5);
    Batches.write(store, all, content);
    keep(1, true);
    assertThat(Arrays.equals(Batches.read(store, all), content)).isTrue();
  }

  @SuppressWarnings("unchecked")
  private static <E extends Exception> void sneakyThrow(Exception failure) throws E {
    throw (E) failure;
  }
}
