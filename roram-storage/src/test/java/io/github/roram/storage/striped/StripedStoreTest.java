package io.github.roram.storage.striped;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.IntegrityException;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.device.CountingStore;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.StoreDamagedException;
import io.github.roram.store.StoreParts;
import io.github.roram.store.UnitSink;
import io.github.roram.testkit.Batches;
import io.github.roram.testkit.FaultyStore;
import io.github.roram.testkit.ModelledOram;
import io.github.roram.testkit.TestOrams;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole ORAMs on several stores, and what befalls one of these. */
@Isolated("memory of the whole JVM is measured")
final class StripedStoreTest {

  private static final int BLOCKS = 256;
  private static final int BLOCK_BYTES = 512;

  @TempDir Path directory;

  private String file(int stripe) {
    return "file:" + directory.resolve("stripe" + stripe);
  }

  private String uri(int... stripes) {
    StringBuilder uri = new StringBuilder("striped:");
    for (int stripe : stripes) {
      uri.append(uri.charAt(uri.length() - 1) == ':' ? "" : ",").append(file(stripe));
    }
    return uri.toString();
  }

  private static OramConfig config(String scheme) {
    OramConfig.Builder builder =
        OramConfig.builder(BLOCKS).scheme(scheme).blockBytes(BLOCK_BYTES).maxRangeBlocks(8);
    return switch (scheme) {
      case "detwo" -> builder.build();
      case "ring" ->
          builder
              .set("evictionBlocks", 8)
              .set("fanOut", 4)
              .set("height", 5)
              .set("treetopLevels", 1)
              .build();
      default -> builder.treetopBytes(0).build();
    };
  }

  private static byte[] content(long block) {
    byte[] content = new byte[BLOCK_BYTES];
    new Random(block).nextBytes(content);
    return content;
  }

  private void create(String uri, OramConfig config, MasterKey key) throws IOException {
    create(uri, StoreOptions.defaults(), config, key);
  }

  private static void create(String uri, StoreOptions options, OramConfig config, MasterKey key)
      throws IOException {
    try (OpenedStore opened = Stores.create(uri, Orams.storeBytes(config), options);
        Oram oram = Orams.create(opened.store(), opened.vault(), config, key)) {
      for (long block = 0; block < BLOCKS; block++) {
        oram.write(block, ByteBuffer.wrap(content(block)));
      }
    }
  }

  private static void checkAll(Oram oram) throws IOException {
    for (long block = 0; block < BLOCKS; block++) {
      assertThat(oram.read(block, 1).array()).isEqualTo(content(block));
    }
  }

  /** As where the line to one is lost while stripes are opened. */
  @Test
  void aStripeThatFailsToCloseKeepsNoOtherOpen() {
    List<String> closed = new ArrayList<>();
    List<OpenedStore> stripes = new ArrayList<>();
    for (String name : List.of("first", "second", "third")) {
      BlockStore store =
          new FilterBlockStore(new MemoryStore(1)) {
            @Override
            public void close() throws IOException {
              closed.add(name);
              throw new IOException(name + " cannot be reached");
            }
          };
      stripes.add(new OpenedStore(store, ClientVault.inMemory()));
    }
    assertThatThrownBy(() -> StripedStoreProvider.close(stripes))
        .hasMessage("first cannot be reached")
        .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasSize(2));
    assertThat(closed).containsExactly("first", "second", "third");
  }

  /** Each write asks for its content while those before it are under way, as by other threads. */
  @Test
  void manySmallRequestsAtATimeTakeLittleMemory() throws IOException {
    long capacity = 1 << 14;
    List<BlockStore> stripes =
        List.of(new MemoryStore(2 * capacity), new MemoryStore(2 * capacity));
    try (StripedStore store = new StripedStore(stripes, capacity, 0)) {
      store.arrange(new StoreParts(List.of(List.of(0L, capacity / 2))));
      ExtentBatch batch = Batches.of((int) capacity / 2, 0, 2);
      long before = directBytes();
      write(store, batch, 16);
      assertThat(directBytes() - before).isLessThan(4 << 20);
    }
  }

  /** Else stripes that have no thread stay locked. */
  @Test
  void whereThereAreNoMoreThreadsTheCallingOneDoesAll() throws IOException {
    long capacity = 1 << 14;
    List<Integer> closed = new ArrayList<>();
    List<BlockStore> stripes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      int stripe = i;
      stripes.add(
          new FilterBlockStore(new MemoryStore(2 * capacity)) {
            @Override
            public void close() {
              closed.add(stripe);
            }
          });
    }
    ExecutorService none =
        Executors.newFixedThreadPool(
            2,
            task -> {
              throw new OutOfMemoryError("unable to create native thread");
            });
    StripedStore store = new StripedStore(stripes, capacity, 0, none);
    store.arrange(new StoreParts(List.of(List.of(0L, 1L << 12, 1L << 13))));
    ExtentBatch all = Batches.of((int) capacity, 0, 1);
    Batches.write(store, all, Batches.noise((int) capacity, 3));
    assertThat(Batches.read(store, all)).isEqualTo(Batches.noise((int) capacity, 3));
    store.sync();
    store.close();
    assertThat(closed).containsExactlyInAnyOrder(0, 1, 2);
  }

  private static void write(BlockStore store, ExtentBatch batch, int atATime) throws IOException {
    store.write(
        batch,
        (firstUnit, units) -> {
          if (atATime > 1) {
            write(store, batch, atATime - 1);
          }
          units.position(units.limit());
        });
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  @ParameterizedTest
  @ValueSource(strings = {"roram", "path-batched", "path"})
  void anOramIsThereAgainAfterOpening(String scheme) throws IOException {
    String uri = uri(0, 1, 2);
    try (MasterKey key = MasterKey.generate()) {
      create(uri, config(scheme), key);
      try (OpenedStore opened = Stores.open(uri, StoreOptions.defaults());
          Oram oram = Orams.open(opened.store(), opened.vault(), key)) {
        checkAll(oram);
        assertThat(oram.verify((done, all) -> {}).findings()).isEmpty();
      }
      for (int stripe = 0; stripe < 3; stripe++) {
        assertThat(usedBytes(stripe)).isGreaterThan(10_000);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"roram", "ring", "tao"})
  void theFirstStripeHasTheTopLevelsByItself(String scheme) throws IOException {
    String uri = uri(0, 1);
    OramConfig config = config(scheme);
    long topBytes = Orams.storeBytes(config) / 3 / 4096 * 4096;
    StoreOptions options = top(topBytes);
    try (MasterKey key = MasterKey.generate()) {
      create(uri, options, config, key);
      assertThat(usedBytes(0)).isBetween(1_000L, topBytes);
      assertThat(usedBytes(1)).isGreaterThan(BLOCKS * BLOCK_BYTES / 2);
      try (OpenedStore opened = Stores.open(uri, StoreOptions.defaults());
          Oram oram = Orams.open(opened.store(), opened.vault(), key)) {
        checkAll(oram);
        assertThat(oram.verify((done, all) -> {}).findings()).isEmpty();
      }
      assertThat(usedBytes(0)).isLessThanOrEqualTo(topBytes);
    }
  }

  /** With one level more all of them would be looked for on other stripes. */
  @ParameterizedTest
  @ValueSource(longs = {0, 16_384})
  void growthByLevelsIsRefusedAndNothingIsMoved(long topBytes) throws IOException {
    OramConfig config = config("roram").toBuilder().blocks(BLOCKS - 9).build();
    long capacity = 3 * Orams.storeBytes(config);
    List<BlockStore> stripes = new ArrayList<>();
    for (int stripe = 0; stripe < 3; stripe++) {
      stripes.add(new MemoryStore(capacity + StripeDescriptor.BYTES));
    }
    ClientVault vault = ClientVault.inMemory();
    try (MasterKey key = MasterKey.generate()) {
      BlockStore store = new StripedStore(unclosed(stripes), capacity, topBytes);
      try (Oram oram = Orams.create(store, vault, config, key)) {
        // As high as they are the trees have room for some blocks more.
        oram.grow(BLOCKS);
        for (long block = 0; block < BLOCKS; block++) {
          oram.write(block, ByteBuffer.wrap(content(block)));
        }
        assertThatThrownBy(() -> oram.grow(2 * BLOCKS))
            .isInstanceOf(ConfigurationException.class)
            .hasMessageContainingAll(2 * BLOCKS + " blocks", "other stripes", "roram clone");
        checkAll(oram);
      }
      BlockStore again = new StripedStore(unclosed(stripes), capacity, topBytes);
      try (Oram oram = Orams.open(again, vault, key)) {
        checkAll(oram);
        assertThat(oram.config().blocks()).isEqualTo(BLOCKS);
        assertThat(oram.verify((done, all) -> {}).findings()).isEmpty();
      }
    }
  }

  private static List<BlockStore> unclosed(List<BlockStore> stripes) {
    List<BlockStore> shielded = new ArrayList<>();
    for (BlockStore stripe : stripes) {
      FaultyStore open = new FaultyStore(stripe);
      open.shield();
      shielded.add(open);
    }
    return shielded;
  }

  private static StoreOptions top(long bytes) {
    return StoreOptions.defaults().with(StripedStoreProvider.TOP, bytes);
  }

  @Test
  void aTopThatCannotBeIsRefusedAndNothingMade() {
    for (long bytes : List.of(0L, 4095L, 1L << 44)) {
      assertThatThrownBy(() -> Stores.create(uri(0, 1), 100_000, top(bytes)))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContainingAll("top-stripe", "must be 4096 to 17592186040320");
    }
    assertThat(directory).isEmptyDirectory();
  }

  private long usedBytes(int stripe) throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("stripe" + stripe))) {
      long used = 0;
      for (Path segment :
          files.filter(file -> file.getFileName().toString().startsWith("segment")).toList()) {
        byte[] bytes = Files.readAllBytes(segment);
        for (byte b : bytes) {
          used += b == 0 ? 0 : 1;
        }
      }
      return used;
    }
  }

  @Test
  void aSyncIsOneOfEachStripe() throws IOException {
    AtomicIntegerArray syncs = new AtomicIntegerArray(3);
    List<BlockStore> stripes = new ArrayList<>();
    for (int stripe = 0; stripe < syncs.length(); stripe++) {
      int number = stripe;
      stripes.add(
          new FilterBlockStore(new MemoryStore(10_000)) {
            @Override
            public void sync() {
              syncs.incrementAndGet(number);
            }
          });
    }
    try (StripedStore store = new StripedStore(stripes, 5_000, 0)) {
      store.sync();
      assertThat(syncs).hasToString("[1, 1, 1]");
    }
  }

  @Test
  void stripesThatAreMixedUpAreNamed() throws IOException {
    Stores.create(uri(0, 1), 100_000, StoreOptions.defaults()).close();
    Stores.create(uri(2, 3, 4), 100_000, StoreOptions.defaults()).close();
    Stores.create(file(5), 100_000, StoreOptions.defaults()).close();

    assertOpeningFails(uri(1, 0), "stripe 1 of 2, " + file(1), "is stripe 2 of its store");
    assertOpeningFails(uri(0, 3), "stripe 2 of 2, " + file(3), "of another store");
    assertOpeningFails(uri(2, 3), "stripe 1 of 2, " + file(2), "of a store of 3 stripes");
    assertOpeningFails(uri(2, 4, 3), "stripe 2 of 3, " + file(4), "is stripe 3 of its store");
    assertOpeningFails(uri(0, 5), "stripe 2 of 2, " + file(5), "no stripe of one");
    assertOpeningFails(uri(0, 6), "stripe 2 of 2, " + file(6), "is missing");
    assertOpeningFails(uri(6, 1), "stripe 1 of 2, " + file(6), "is missing");
    assertThatThrownBy(() -> Stores.open(uri(6, 7), StoreOptions.defaults()))
        .isInstanceOf(NoSuchFileException.class);
    Stores.open(uri(0, 1), StoreOptions.defaults()).close();
    Stores.open(uri(2, 3, 4), StoreOptions.defaults()).close();
  }

  private static void assertOpeningFails(String uri, String... message) {
    assertThatThrownBy(() -> Stores.open(uri, StoreOptions.defaults()))
        .isInstanceOf(StoreDamagedException.class)
        .hasMessageContainingAll(message);
  }

  @Test
  void aStripeThatWasSetBackIsFound() throws IOException {
    OramConfig config = config("roram");
    String uri = uri(0, 1);
    try (MasterKey key = MasterKey.generate()) {
      create(uri, config, key);
      Path stripe = directory.resolve("stripe1");
      Path copy = directory.resolve("copy");
      copySegments(stripe, copy);
      try (OpenedStore opened = Stores.open(uri, StoreOptions.defaults());
          Oram oram = Orams.open(opened.store(), opened.vault(), key)) {
        for (int i = 0; i < BLOCKS; i++) {
          oram.write(i, ByteBuffer.wrap(content(i)));
        }
      }
      copySegments(copy, stripe);
      try (OpenedStore opened = Stores.open(uri, StoreOptions.defaults());
          Oram oram = Orams.open(opened.store(), opened.vault(), key)) {
        assertThatThrownBy(() -> checkAll(oram)).isInstanceOf(IntegrityException.class);
      }
    }
  }

  private static void copySegments(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file :
          files.filter(file -> file.getFileName().toString().startsWith("segment")).toList()) {
        Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  @Test
  void aStoreIsCreatedOnceAndDeletedWhole() throws IOException {
    Stores.create(file(1), 100_000, StoreOptions.defaults()).close();
    assertThat(Stores.exists(uri(0, 1))).isTrue();
    assertThatThrownBy(() -> Stores.create(uri(0, 1), 100_000, StoreOptions.defaults()))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(directory.resolve("stripe0")).doesNotExist();
    Stores.delete(file(1));

    Stores.create(uri(0, 1), 100_000, StoreOptions.defaults()).close();
    Stores.delete(uri(0, 1));
    assertThat(Stores.exists(uri(0, 1))).isFalse();
    assertThatThrownBy(() -> Stores.delete(uri(0, 1))).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void ofAStripeInMemoryThereIsNothingToDelete() throws IOException {
    String uri = uri(0) + ",mem:";
    Stores.create(uri, 100_000, StoreOptions.defaults()).close();
    Stores.delete(uri);
    assertThat(directory.resolve("stripe0")).doesNotExist();
    assertThatThrownBy(() -> Stores.delete(uri)).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void recordsOfTheClientMayBeElsewhere() throws IOException {
    StoreOptions options = StoreOptions.defaults().withStateDirectory(directory.resolve("state"));
    Stores.create(uri(0, 1), 100_000, options).close();
    Stores.open(uri(0, 1), options).close();
    Stores.delete(uri(0, 1), options);
    assertThat(Stores.exists(uri(0, 1), options)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "mem:", "file:/a", "file:/a,file:/a", "file:/a,/b", "mem:,striped:mem:,mem:"})
  void whatIsNotTwoStoresIsRefused(String location) {
    assertThatThrownBy(() -> Stores.open("striped:" + location, StoreOptions.defaults()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("striped:" + location)
        .hasMessageContaining("write striped:URI,URI,…");
  }

  /** Reads that wait for one another: done one after another they would not end. */
  private static final class Waiting extends FilterBlockStore {
    private final CyclicBarrier barrier;

    Waiting(BlockStore delegate, CyclicBarrier barrier) {
      super(delegate);
      this.barrier = barrier;
    }

    @Override
    public void read(ExtentBatch batch, UnitSink sink) throws IOException {
      try {
        barrier.await(1, TimeUnit.MINUTES);
      } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
        throw new IOException("the other stripe is not read", e);
      }
      delegate.read(batch, sink);
    }
  }

  @Test
  void stripesAreReadAtTheSameTime() throws IOException {
    CyclicBarrier barrier = new CyclicBarrier(2);
    List<BlockStore> stripes =
        List.of(
            new Waiting(new MemoryStore(20_000), barrier),
            new Waiting(new MemoryStore(20_000), barrier));
    try (StripedStore store = new StripedStore(stripes, 10_000, 0)) {
      store.arrange(new StoreParts(List.of(List.of(0L, 5_000L))));
      assertThat(Batches.read(store, Batches.of(100, 4_900, 1, 5_000, 1))).isEqualTo(new byte[200]);
    }
  }

  @Test
  void requestsOfWholeTreesAreSharedEvenly() throws IOException {
    CountingStore one = new CountingStore(new MemoryStore(1 << 26));
    CountingStore other = new CountingStore(new MemoryStore(1 << 26));
    OramConfig config =
        OramConfig.builder(BLOCKS)
            .blockBytes(BLOCK_BYTES)
            .maxRangeBlocks(8)
            .treetopBytes(0)
            .build();
    try (StripedStore store = new StripedStore(List.of(one, other), Orams.storeBytes(config), 0);
        MasterKey key = MasterKey.generate();
        Oram oram =
            TestOrams.create(
                store, ClientVault.inMemory(), config, key, ModelledOram.seededLabels(3))) {
      for (int i = 0; i < 200; i++) {
        oram.read(i % 249, 8);
      }
      double seeks = (double) one.total().seeks() / other.total().seeks();
      assertThat(seeks).isBetween(0.8, 1.2);
    }
  }
}
