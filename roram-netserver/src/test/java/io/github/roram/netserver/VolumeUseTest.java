package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.netserver.ServerLimits.ReadLimits;
import io.github.roram.open.Orams;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreDeletion;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.file.FileOptions;
import io.github.roram.storage.file.StateDirectory;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.storage.remote.RemoteStore;
import io.github.roram.storage.remote.RemoteVolumes;
import io.github.roram.store.AsyncBlockStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.StoreParts;
import io.github.roram.store.UnitSink;
import io.github.roram.testkit.Batches;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What a server does for clients that say how they use their volume. */
final class VolumeUseTest extends ServerTest {

  private static final StoreParts PARTS = new StoreParts(List.of(List.of(5000L, 10_000L, 20_000L)));

  private final AtomicLong held = new AtomicLong();
  private final AtomicLong fromCache = new AtomicLong();
  private final AtomicLong fromVolume = new AtomicLong();
  private final AtomicInteger reading = new AtomicInteger();
  private final CountDownLatch release = new CountDownLatch(1);
  private final Semaphore longReads = new Semaphore(1);
  private volatile boolean blocked;
  private long cacheBytes = 1 << 20;

  /** Reads of volumes wait while {@link #blocked}, and long ones for a permit. */
  private final class Blocking extends FilterBlockStore {
    Blocking(BlockStore delegate) {
      super(delegate);
    }

    @Override
    public void read(ExtentBatch batch, UnitSink sink) throws IOException {
      if (blocked) {
        reading.incrementAndGet();
        try {
          release.await();
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
      }
      if (batch.bytes() > 1 << 20) {
        longReads.acquireUninterruptibly();
      }
      delegate.read(batch, sink);
    }
  }

  @Override
  ServerConfig config(int port) throws IOException {
    ServerLimits base = ServerLimits.defaults();
    return ServerConfig.loopback(
            port,
            new DecoratedBacking(new FileBacking(directory, FileOptions.defaults()), Blocking::new))
        .withLimits(
            new ServerLimits(
                base.maxConnections(),
                base.maxPayloadBytes(),
                base.maxRequestBytes(),
                base.maxExtents(),
                base.maxRequests(),
                base.connectionBufferBytes(),
                base.totalBufferBytes(),
                new ReadLimits(6, cacheBytes),
                base.handshakes(),
                base.volumes()))
        .withObserver(
            new ServerObserver() {
              @Override
              public void cacheHolds(long bytes) {
                held.set(bytes);
              }

              @Override
              public void partRead(long cachedBytes, long storeBytes) {
                fromCache.addAndGet(cachedBytes);
                fromVolume.addAndGet(storeBytes);
              }
            });
  }

  @Test
  void theFirstLevelsAreInMemoryWhileTheClientHasTheVolume() throws Exception {
    try (RemoteStore store = open(OPTIONS)) {
      assertThat(store.cachedBytes()).isZero();
      store.arrange(PARTS);
      assertThat(store.cachedBytes()).as("the third is too long").isEqualTo(15_000);
      assertThat(held).hasValue(15_000);
      store.read(units(5000, 3), (first, units) -> {});
      assertThat(fromCache).hasValue(15_000);
      assertThat(fromVolume).hasValue(0);
      restart();
      store.read(units(5000, 5), (first, units) -> {});
      assertThat(store.cachedBytes()).as("told again").isEqualTo(15_000);
      assertThat(fromVolume).hasValue(10_000);
    }
    assertThat(held).hasValue(0);
  }

  /** Else the server would end each connection on which it is told of them. */
  @Test
  void ofManyPartsTheFirstThatFitAFrameAreTold() throws Exception {
    restart(
        config -> {
          ServerLimits base = config.limits();
          return config.withLimits(
              new ServerLimits(
                  base.maxConnections(),
                  4096,
                  base.maxRequestBytes(),
                  base.maxExtents(),
                  base.maxRequests(),
                  base.connectionBufferBytes(),
                  base.totalBufferBytes(),
                  base.reads(),
                  base.handshakes(),
                  base.volumes()));
        });
    List<Long> parts = new ArrayList<>();
    for (long offset = 0; parts.size() < 300; offset += 1000) {
      parts.add(offset);
    }
    try (RemoteStore store = open(OPTIONS)) {
      store.arrange(new StoreParts(List.of(parts)));
      assertThat(store.cachedBytes()).isEqualTo(255_000);
      store.read(units(5000, 3), (first, units) -> {});
      assertThat(store.counts().connections()).isEqualTo(1);
    }
  }

  /** All at once would keep the client waiting, and perhaps for longer than it waits. */
  @Test
  void aVolumeIsUsedWhileItsLevelsAreLoaded() throws Exception {
    long part = 40 << 20;
    cacheBytes = part;
    restart();
    byte[] content = Batches.noise(UNIT_BYTES, 3);
    try (RemoteStore store = open(OPTIONS)) {
      store.extend(part);
      store.arrange(new StoreParts(List.of(List.of(0L))));
      assertThat(store.cachedBytes()).isEqualTo(part);
      store.read(units(0, 1), (first, units) -> {});
      assertThat(fromCache).hasValue(0);
      longReads.release(2);
      Batches.write(store, units(part - UNIT_BYTES, 1), content);
      store.sync(); // behind the rest of the loading, which gave way to the write
      assertThat(Batches.read(store, units(part - UNIT_BYTES, 1))).isEqualTo(content);
      assertThat(fromCache).hasValue(UNIT_BYTES);
    }
  }

  /** The client that comes next says for itself what it wants. */
  @Test
  void anotherClientBeginsWithoutACache() throws IOException {
    try (RemoteStore first = open(OPTIONS)) {
      first.arrange(PARTS);
      try (RemoteStore second = open(OPTIONS.withTakeOver(true))) {
        assertThat(held).hasValue(0);
        second.write(units(5000, 1), (from, units) -> units.put(new byte[units.remaining()]));
        second.arrange(PARTS);
        assertThat(held).hasValue(15_000);
      }
    }
  }

  @Test
  void partsThatCannotBeAreNotHeld() throws IOException {
    try (RemoteStore store = open(OPTIONS)) {
      store.arrange(new StoreParts(List.of(List.of((long) CAPACITY_BYTES + 5))));
      assertThat(store.cachedBytes()).isZero();
      store.read(units(0, 1), (first, units) -> {});
    }
  }

  /** An ORAM tells its store where the levels are; what it reads there comes from memory. */
  @Test
  void anOramReadsItsTopLevelsFromMemory() throws IOException {
    OramConfig config =
        OramConfig.builder(64).blockBytes(512).maxRangeBlocks(8).treetopBytes(0).build();
    assertThat(Orams.storeBytes(config)).isLessThan(CAPACITY_BYTES);
    try (RemoteStore store = open(OPTIONS);
        MasterKey key = MasterKey.generate();
        Oram oram = Orams.create(store, ClientVault.inMemory(), config, key)) {
      byte[][] model = new byte[64][];
      for (int i = 0; i < 200; i++) {
        int block = i * 37 % 64;
        model[block] = new byte[512];
        model[block][i % 512] = (byte) i;
        oram.write(block, ByteBuffer.wrap(model[block]));
        ByteBuffer found = ByteBuffer.allocate(512);
        oram.read((block * 5) % 64, 1, found);
        byte[] expected = model[block * 5 % 64];
        assertThat(found.array()).isEqualTo(expected == null ? new byte[512] : expected);
      }
      assertThat(store.cachedBytes()).isPositive();
      assertThat(fromCache.get()).isPositive();
    }
  }

  /** The first and the third level are on one stripe, the second on the other. */
  @Test
  void eachStripeHoldsTheFirstLevelsThatItHas() throws IOException {
    String server = "tcp://127.0.0.1:" + address().port() + "/";
    String uri = "striped:" + server + "one," + server + "other";
    StoreOptions options = StoreOptions.defaults().withStateDirectory(directory.resolve("clients"));
    try (OpenedStore opened = Stores.create(uri, CAPACITY_BYTES, options)) {
      opened.store().arrange(PARTS);
      assertThat(held).as("the third is too long").hasValue(15_000);
      fromVolume.set(0);
      opened.store().read(units(5000, 3), (first, units) -> {});
      assertThat(fromCache).hasValue(15_000);
      assertThat(fromVolume).hasValue(0);
    }
  }

  /** The client's records are left, and a new store would be refused because of them. */
  @Test
  void aDeletionOfStripesThatWasCutIsRepeated() throws IOException {
    String server = "tcp://127.0.0.1:" + address().port() + "/";
    Path clients = directory.resolve("clients");
    String uri = "striped:" + server + "one," + server + "other";
    StoreOptions options = StoreOptions.defaults().withStateDirectory(clients);
    try (OpenedStore opened = Stores.create(uri, CAPACITY_BYTES, options)) {
      opened.vault().save("state", out -> out.write(1));
    }
    deleteWithoutRecords(server + "other", clients.resolve("stripe-2"));
    deleteWithoutRecords(server + "one", clients);
    Stores.delete(uri, options);
    Stores.create(uri, CAPACITY_BYTES, options).close();
  }

  private static void deleteWithoutRecords(String uri, Path records) throws IOException {
    RemoteAddress volume = RemoteAddress.ofStore(uri).orElseThrow();
    StateDirectory.deleteStore(
        records,
        new StoreDeletion(
            volume.toString(),
            () -> true,
            () -> RemoteVolumes.delete(volume, RemoteOptions.defaults())));
  }

  @Test
  void asManyReadsAtATimeAsAskedForAndAllowed() throws Exception {
    try (RemoteStore store = open(OPTIONS);
        AsyncBlockStore async = store.async(32)) {
      assertThat(store.readsAtATime()).isEqualTo(6);
      store.read(units(0, 1), (first, units) -> {});
      blocked = true;
      List<CompletableFuture<Void>> reads = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        reads.add(async.read(units(5000L * i, 1), (first, units) -> {}));
      }
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
      while (reading.get() < 6 && System.nanoTime() < deadline) {
        Thread.sleep(5);
      }
      Thread.sleep(50);
      assertThat(reading).hasValue(6);
      blocked = false;
      release.countDown();
      for (CompletableFuture<Void> read : reads) {
        read.get(20, TimeUnit.SECONDS);
      }
    } finally {
      release.countDown();
    }
  }
}
