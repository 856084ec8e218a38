package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.netserver.TopLevelCache.CacheBudget;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.store.StoreParts.Part;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import io.github.roram.testkit.Batches;
import io.github.roram.testkit.BlockStoreContract;
import io.github.roram.testkit.RecordingStore;
import io.github.roram.testkit.RecordingStore.Operation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Parts of a volume in memory: the same bytes as without, and no request for what is there. */
final class TopLevelCacheTest {

  private static final int CAPACITY_BYTES = 10_000;

  private static CacheBudget budget(long bytes) {
    return new CacheBudget(bytes, ServerObserver.NONE);
  }

  private static TopLevelCache loaded(BlockStore volume, List<Part> parts, CacheBudget budget)
      throws IOException {
    TopLevelCache cache = TopLevelCache.of(volume, parts, budget);
    while (cache.load(1300)) {
      // Until all is in memory.
    }
    return cache;
  }

  /** The contract of stores, with much of it in memory. */
  @Nested
  final class Contract extends BlockStoreContract {
    @Override
    protected BlockStore newStore() throws IOException {
      BlockStore volume = new MemoryStore(CAPACITY_BYTES);
      BlockStore cache =
          loaded(
              volume,
              List.of(new Part(0, 5000), new Part(CAPACITY_BYTES / 2, 7000)),
              budget(1 << 20));
      return new FilterBlockStore(volume) {
        @Override
        public void read(ExtentBatch batch, UnitSink sink) throws IOException {
          cache.read(batch, sink);
        }

        @Override
        public void write(ExtentBatch batch, UnitSource source) throws IOException {
          cache.write(batch, source);
        }

        @Override
        public void close() throws IOException {
          cache.close();
          super.close();
        }
      };
    }
  }

  /** Parts in any order, of which there is memory for some. */
  private static List<Part> parts(SplittableRandom random) {
    List<Part> parts = new ArrayList<>();
    int offset = random.nextInt(200);
    while (offset < CAPACITY_BYTES) {
      int bytes = Math.min(CAPACITY_BYTES - offset, 1 + random.nextInt(2000));
      parts.add(random.nextInt(parts.size() + 1), new Part(offset, bytes));
      offset += bytes + (random.nextBoolean() ? 0 : random.nextInt(1000));
    }
    return parts;
  }

  private static ExtentBatch batch(SplittableRandom random) {
    int unitBytes = 1 + random.nextInt(300);
    ExtentBatch batch = new ExtentBatch().reset(IoPhase.META, 0, unitBytes);
    long offset = random.nextInt(500);
    while (offset + unitBytes <= CAPACITY_BYTES) {
      int most = (int) ((CAPACITY_BYTES - offset) / unitBytes);
      int units = 1 + random.nextInt(Math.min(most, 9));
      batch.add(offset, units);
      offset += (long) units * unitBytes + random.nextInt(2000);
    }
    return batch;
  }

  @Property(tries = 100)
  void theSameBytesAsWithoutIt(@ForAll long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    try (BlockStore volume = new MemoryStore(CAPACITY_BYTES);
        BlockStore plain = new MemoryStore(CAPACITY_BYTES)) {
      byte[] before = Batches.noise(CAPACITY_BYTES, seed);
      write(volume, Batches.of(1, 0, CAPACITY_BYTES), before);
      write(plain, Batches.of(1, 0, CAPACITY_BYTES), before);
      List<Part> parts = parts(random);
      try (TopLevelCache cache =
          TopLevelCache.of(volume, parts, budget(random.nextInt(2 * CAPACITY_BYTES)))) {
        for (int i = 0; i < 20; i++) {
          cache.load(random.nextInt(1500));
          ExtentBatch batch = batch(random);
          if (random.nextBoolean()) {
            byte[] content = Batches.noise((int) batch.bytes(), seed + i);
            write(cache, batch, content);
            write(plain, batch, content);
          }
          assertThat(read(cache, batch)).isEqualTo(read(plain, batch));
        }
        ExtentBatch all = Batches.of(1, 0, CAPACITY_BYTES);
        assertThat(read(cache, all)).isEqualTo(read(plain, all)).isEqualTo(read(volume, all));
      }
    }
  }

  private static void write(BlockStore store, ExtentBatch batch, byte[] content)
      throws IOException {
    store.write(
        batch, (first, units) -> units.put(content, first * batch.unitBytes(), units.remaining()));
  }

  /** All units, each of which has to come when it is its turn. */
  private static byte[] read(BlockStore store, ExtentBatch batch) throws IOException {
    ByteBuffer all = ByteBuffer.allocate((int) batch.bytes());
    store.read(
        batch,
        (first, units) -> {
          assertThat(all.position()).isEqualTo(first * batch.unitBytes());
          assertThat(units.remaining()).isPositive();
          all.put(units);
        });
    assertThat(all.hasRemaining()).isFalse();
    return all.array();
  }

  @Test
  void whatIsInMemoryIsNotAskedOfTheVolume() throws IOException {
    AtomicLong cached = new AtomicLong();
    AtomicLong stored = new AtomicLong();
    ServerObserver observer =
        new ServerObserver() {
          @Override
          public void partRead(long cachedBytes, long storeBytes) {
            cached.addAndGet(cachedBytes);
            stored.addAndGet(storeBytes);
          }
        };
    try (RecordingStore volume = new RecordingStore(new MemoryStore(CAPACITY_BYTES));
        BlockStore cache =
            loaded(
                volume,
                List.of(new Part(100, 200), new Part(300, 400), new Part(2000, 100)),
                new CacheBudget(650, observer))) {
      int before = volume.requests().size();
      read(cache, Batches.of(100, 100, 6));
      assertThat(volume.requests()).hasSize(before);
      assertThat(cached).hasValue(600);
      ExtentBatch batch = new ExtentBatch().reset(IoPhase.META, 0, 100);
      batch.add(0, 2);
      batch.add(650, 3);
      batch.add(2000, 1);
      read(cache, batch);
      assertThat(volume.requests()).hasSize(before + 2);
      assertThat(cached).hasValue(700);
      assertThat(stored).hasValue(500);
    }
  }

  @Test
  void theBudgetIsKeptAndGivenBack() throws IOException {
    AtomicLong held = new AtomicLong();
    CacheBudget budget =
        new CacheBudget(
            1000,
            new ServerObserver() {
              @Override
              public void cacheHolds(long bytes) {
                held.set(bytes);
              }
            });
    List<Part> parts = List.of(new Part(5000, 400), new Part(0, 300));
    try (BlockStore volume = new MemoryStore(CAPACITY_BYTES)) {
      TopLevelCache first = loaded(volume, parts, budget);
      TopLevelCache second = loaded(volume, parts, budget);
      assertThat(first.heldBytes()).isEqualTo(700);
      assertThat(second.heldBytes()).as("300 are left").isZero();
      first.close();
      assertThat(held).hasValue(0);
      assertThat(loaded(volume, parts, budget).heldBytes()).isEqualTo(700);
    }
  }

  /** Nobody knows what part of it is in the volume, so that says what is read. */
  @Test
  void afterAWriteThatFailedTheVolumeSaysWhatThereIs() throws IOException {
    byte[] ones = new byte[100];
    Arrays.fill(ones, (byte) 1);
    try (BlockStore volume =
            new FilterBlockStore(new MemoryStore(CAPACITY_BYTES)) {
              @Override
              public void write(ExtentBatch batch, UnitSource source) throws IOException {
                source.fill(0, ByteBuffer.allocate(batch.unitBytes()));
                throw new IOException("no room");
              }
            };
        BlockStore cache = loaded(volume, List.of(new Part(0, 1000)), budget(1000))) {
      ExtentBatch batch = Batches.of(100, 0, 1);
      assertThatThrownBy(() -> write(cache, batch, ones)).hasMessage("no room");
      assertThat(read(cache, batch)).isEqualTo(new byte[100]);
    }
  }

  @Test
  void aVolumeThatCannotBeReadCostsNothing() {
    CacheBudget budget = budget(1000);
    BlockStore broken =
        new FilterBlockStore(new MemoryStore(CAPACITY_BYTES)) {
          @Override
          public void read(ExtentBatch batch, UnitSink sink) throws IOException {
            throw new IOException("unreadable");
          }
        };
    assertThatThrownBy(() -> loaded(broken, List.of(new Part(0, 1000)), budget))
        .hasMessage("unreadable");
    assertThat(budget.take(1000)).isTrue();
  }

  @Test
  void operationsOtherThanTransfersAreTheVolumes() throws IOException {
    try (RecordingStore volume = new RecordingStore(new MemoryStore(CAPACITY_BYTES));
        BlockStore cache = loaded(volume, List.of(), budget(0))) {
      cache.sync();
      assertThat(volume.requests().get(0).operation()).isEqualTo(Operation.SYNC);
      assertThat(cache.capacityBytes()).isEqualTo(CAPACITY_BYTES);
    }
  }
}
