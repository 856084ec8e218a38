package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.roram.AsyncOram;
import io.github.roram.Durability;
import io.github.roram.IntegrityException;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.VerifyReport;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.HeldVault;
import io.github.roram.storage.Rings;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import io.github.roram.testkit.ArrayChannel;
import io.github.roram.testkit.FaultyStore;
import io.github.roram.testkit.ModelledOram;
import io.github.roram.testkit.TestOrams;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the store sees of scheme ring is independent of what is accessed: checked by {@link
 * RingWatch} on every request, and by the slots of path reads, which are uniform early and late in
 * the life of a bucket whatever the load. A slot that was spoilt, or put back, is found, be it real
 * or a dummy.
 *
 * <p>{@code -Droram.ring.accesses=n} for so many accesses a load, with 20 crashes among them; group
 * {@code gate} takes more of them, too.
 */
final class RingViewTest {

  private static final int ACCESSES = Integer.getInteger("roram.ring.accesses", 5_000);
  private static final int BLOCKS = 256;
  private static final int DROPS = 20;

  /** Less by chance in one of ten million runs, as a life's slots are drawn without replacement. */
  private static final double LEAST_CHI_SQUARE = 0.07;

  /** More by chance in one of ten million runs. */
  private static final double MOST_CHI_SQUARE = 3.9;

  private static final int LEAVES = 8;

  /** Of a path of four stored levels. */
  private static final int PATH_SLOTS = 4;

  /** Whose slots are spoilt. */
  private static final int READ_BLOCKS = 6;

  @SuppressWarnings("NullAway.Init") // each test makes a store that is watched
  private RingWatch watch;

  private boolean computesXor;

  private ModelledOram watched(OramConfig config, boolean checksPaths) throws IOException {
    OpenOptions options =
        OpenOptions.defaults()
            .withDurability(Durability.OS)
            .withBackgroundCheckpoints(false)
            .withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES);
    Medium medium =
        Medium.memory(
            Orams.storeBytes(config),
            store -> {
              watch = new RingWatch(store, config, checksPaths);
              return computesXor ? new XorStore(watch) : watch;
            });
    return new ModelledOram(medium, config, options, ModelledOram.seededLabels(3));
  }

  @ParameterizedTest
  @CsvSource({
    "uniform, false",
    "hot, false",
    "one, false",
    "sequential, false",
    "writes, false",
    "hot, true",
    "writes, true"
  })
  void slotsAreUniformAndReadOnceInALife(String load, boolean byXor) throws IOException {
    slotsAreUniform(load, byXor, ACCESSES);
  }

  @Tag("gate")
  @ParameterizedTest
  @CsvSource({"uniform, false", "hot, false", "sequential, true"})
  void slotsOfMoreAccessesAreUniform(String load, boolean byXor) throws IOException {
    slotsAreUniform(load, byXor, 4 * ACCESSES);
  }

  private void slotsAreUniform(String load, boolean byXor, int accesses) throws IOException {
    computesXor = byXor;
    OramConfig config = Rings.of(BLOCKS, 512, 1, 9, 2, 4, 1);
    Random random = new Random(load.hashCode());
    IntUnaryOperator next =
        switch (load) {
          case "hot" -> access -> random.nextInt(random.nextInt(10) == 0 ? BLOCKS : 8);
          case "one" -> access -> access < BLOCKS ? access : 7;
          case "sequential" -> access -> access % BLOCKS;
          default -> access -> random.nextInt(BLOCKS);
        };
    try (ModelledOram oram = watched(config, true)) {
      // About three buckets are closed in the mean.
      for (int access = 0;
          access < accesses || (watch.closed() == 0 && access < 8 * accesses);
          access++) {
        if (access % (accesses / DROPS) == 1) {
          oram.dropAndReopen();
        }
        int block = next.applyAsInt(access);
        if (load.equals("writes") || (access < BLOCKS && load.equals("one"))) {
          oram.write(block, 1, random);
        } else {
          oram.read(block, 1);
        }
      }
      assertThat(watch.closed()).isPositive();
      // Of 26 degrees; threads draw labels in an order of their own, so that each run differs.
      assertThat(watch.chiSquare(false)).isBetween(LEAST_CHI_SQUARE, MOST_CHI_SQUARE);
      assertThat(watch.chiSquare(true)).isBetween(LEAST_CHI_SQUARE, MOST_CHI_SQUARE);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2, slots, false",
    "4, slots, false",
    "2, buckets, false",
    "4, buckets, false",
    "4, slots, true"
  })
  void rangesReadASlotOnceInALife(int fanOut, String reads, boolean byXor) throws IOException {
    computesXor = byXor;
    OramConfig config =
        Rings.of(BLOCKS, 512, 32, 9, fanOut, 4, 0).toBuilder().set("evictionReads", reads).build();
    Random random = new Random(5);
    try (ModelledOram oram = watched(config, false)) {
      // Two buckets are closed in the mean.
      int least = ACCESSES / 20;
      for (int access = 0; access < least || (watch.closed() == 0 && access < ACCESSES); access++) {
        int count = 1 + random.nextInt(32);
        int block = random.nextInt(BLOCKS - count + 1);
        if (access % 3 == 0) {
          oram.write(block, count, random);
        } else {
          oram.read(block, count);
        }
      }
      assertThat(watch.slotsRead()).isPositive();
      assertThat(watch.closed()).isPositive();
    }
  }

  @ParameterizedTest
  @CsvSource({"4, 2, 6, 2, false", "9, 4, 4, 0, true", "21, 2, 3, 1, false", "4, 2, 6, 2, true"})
  void readsThatOverlapShowASlotOnceInALife(
      int rate, int fanOut, int height, int top, boolean byXor) throws Exception {
    OramConfig config = Rings.of(BLOCKS, 512, 4, rate, fanOut, height, top);
    OpenOptions options = OpenOptions.defaults().withDurability(Durability.OS).withInFlight(8);
    Random random = new Random(4);
    try (MasterKey key = MasterKey.generate();
        MemoryStore memory = new MemoryStore(Orams.storeBytes(config))) {
      ClientVault vault = ClientVault.inMemory();
      Orams.create(memory, vault, config, key, options).close();
      ShownSlots shown = new ShownSlots();
      BlockStore seen = shown.over(memory);
      BlockStore store = byXor ? new XorStore(seen) : seen;
      try (AsyncOram oram = Orams.open(store, vault, key, options).async()) {
        Deque<CompletableFuture<?>> made = new ArrayDeque<>();
        for (int access = 0; access < ACCESSES / 4; access++) {
          int block = random.nextInt(access % 2 == 0 ? 8 : BLOCKS - 3);
          int count = 1 + random.nextInt(4);
          ByteBuffer data = ByteBuffer.allocate(count * 512);
          made.add(access % 3 == 0 ? oram.write(block, data) : oram.read(block, count, data));
          if (made.size() > 12) {
            made.remove().join();
          }
        }
        made.forEach(CompletableFuture::join);
        assertThat(oram.overlapStats().fakeReads()).isPositive();
      }
      assertThat(shown.slots()).isGreaterThan(ACCESSES / 4);
      assertThat(shown.twice()).isZero();
      assertThat(shown.repeatedReads()).isZero();
      assertThat(shown.evictedAgain()).isZero();
    }
  }

  /** Flips a bit of one slot of the next request of a phase, and notes all requests. */
  private static final class SpoilingStore extends FilterBlockStore {
    private final List<String> requests = new ArrayList<>();
    private IoPhase phase = IoPhase.META;
    private final boolean computesXor;
    private int unit = -1;
    private int units;

    SpoilingStore(BlockStore below, boolean computesXor) {
      super(below);
      this.computesXor = computesXor;
    }

    @Override
    public boolean computesXor() {
      return computesXor;
    }

    private void note(String what, ExtentBatch batch) {
      StringBuilder request = new StringBuilder(what + " " + batch.phase());
      for (int extent = 0; extent < batch.extents(); extent++) {
        request.append(" " + batch.units(extent) + "@" + batch.offset(extent));
      }
      requests.add(request.toString());
    }

    @Override
    public void write(ExtentBatch batch, UnitSource source) throws IOException {
      note("write", batch);
      super.write(batch, source);
    }

    @Override
    public void sync() throws IOException {
      requests.add("sync");
      super.sync();
    }

    @Override
    public void read(ExtentBatch batch, UnitSink sink) throws IOException {
      note("read", batch);
      if (batch.phase() != phase || unit < 0) {
        super.read(batch, sink);
        return;
      }
      int spoilt = unit;
      unit = -1;
      units = batch.units();
      super.read(
          batch,
          (first, bytes) -> {
            ByteBuffer copy = ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
            int at = (spoilt - first) * batch.unitBytes() + batch.unitBytes() / 2;
            if (at >= 0 && at < copy.limit()) {
              copy.put(at, (byte) (copy.get(at) ^ 1));
            }
            sink.accept(first, copy);
          });
    }
  }

  /** Each slot of reads in turn: of those some are real, most are dummies. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSpoiltSlotIsRefusedWhateverItHolds(boolean byXor) throws IOException {
    OramConfig config = Rings.of(BLOCKS, 512, 1, 9, 2, 4, 1);
    SpoilingStore[] store = new SpoilingStore[1];
    Medium medium =
        Medium.memory(
            Orams.storeBytes(config), below -> store[0] = new SpoilingStore(below, byXor));
    Random random = new Random(6);
    Set<String> messages = new HashSet<>();
    try (ModelledOram oram = new ModelledOram(medium, config, ModelledOram.seededLabels(3))) {
      oram.bulkLoad((int) config.bytes(), 1 << 24, random);
      int refused = 0;
      for (int access = 0; access < 400; access++) {
        store[0].phase = IoPhase.READ;
        store[0].unit = access % 4;
        IntegrityException thrown =
            catchThrowableOfType(
                IntegrityException.class, () -> oram.oram().read(random.nextInt(BLOCKS), 1));
        if (access % 4 < store[0].units) {
          assertThat(thrown).isNotNull();
          messages.add(String.valueOf(thrown.getMessage()).replaceAll("[0-9]+", "#"));
          refused++;
        }
        store[0].unit = -1;
        if (access % 9 == 8) {
          oram.checkAll();
        }
      }
      assertThat(refused).isGreaterThan(300);
      assertThat(messages).hasSize(1);
    }
  }

  /**
   * A path has one slot with the block at most, and of those that are read some are on the store:
   * so both such slots and dummies are spoilt. What is asked for from then on, the read once more
   * and evictions among it, is the same for all slots of a path.
   */
  @ParameterizedTest
  @CsvSource({"SYNC, false", "OS, false", "OS, true"})
  void whatFollowsASpoiltSlotIsTheSameWhateverItHeld(Durability durability, boolean byXor)
      throws IOException {
    OramConfig config = Rings.of(BLOCKS, 512, 1, 9, 2, 4, 1);
    OpenOptions options =
        OpenOptions.defaults().withDurability(durability).withBackgroundCheckpoints(false);
    try (MasterKey key = MasterKey.generate();
        MemoryStore memory = new MemoryStore(Orams.storeBytes(config))) {
      ClientVault vault = ClientVault.inMemory();
      try (Oram oram = Orams.create(memory, vault, config, key, options)) {
        oram.bulkLoad(new ArrayChannel(new byte[(int) config.bytes()]), 1 << 24, bytes -> {});
        assertThat(oram.stats().trees().get(0).heldBlocks()).isLessThan(READ_BLOCKS);
      }
      byte[] loaded = new FaultyStore(memory).snapshot(0, (int) Orams.storeBytes(config));
      for (int block = 0; block < READ_BLOCKS; block++) {
        Set<List<String>> followed = new HashSet<>();
        for (int unit = 0; unit < PATH_SLOTS; unit++) {
          MemoryStore below = new MemoryStore(Orams.storeBytes(config));
          new FaultyStore(below).restore(0, loaded);
          below.keepWatermark(memory.watermarks().get(0), true);
          ClientVault copy = ClientVault.inMemory();
          for (String record : vault.names()) {
            vault.copyRecord(record, copy);
          }
          SpoilingStore store = new SpoilingStore(below, byXor);
          LabelSource labels = ModelledOram.seededLabels(9);
          try (Oram oram = TestOrams.open(store, copy, config, key, options, labels)) {
            followed.add(afterASpoiltSlot(oram, store, block, unit));
          }
        }
        assertThat(followed).as("after a slot of the path of block %d", block).hasSize(1);
      }
    }
  }

  /** What the caller is told, and all requests from the spoilt one on. */
  private static List<String> afterASpoiltSlot(Oram oram, SpoilingStore store, int block, int unit)
      throws IOException {
    store.requests.clear();
    store.phase = IoPhase.READ;
    store.unit = unit;
    IntegrityException thrown =
        catchThrowableOfType(IntegrityException.class, () -> oram.read(block, 1));
    assertThat(thrown).isNotNull();
    assertThat(store.units).isEqualTo(PATH_SLOTS);
    for (int access = 0; access < 12; access++) {
      oram.read(block + access, 1);
    }
    List<String> followed = new ArrayList<>(store.requests);
    followed.add(String.valueOf(thrown.getMessage()).replaceAll("[0-9]+", "#"));
    return followed;
  }

  /** Reads of many blocks can close all buckets of the path that the next eviction is of. */
  @Test
  void evictionsThatAreMadeAgainRecordAsMuchWhateverIsClosed() throws IOException {
    assertThat(
            IntStream.range(0, LEAVES)
                .mapToObj(RingViewTest::recordedOfEvictionsMadeAgain)
                .toList())
        .containsOnly(recordedOfEvictionsMadeAgain(0));
  }

  /** How long the journal is after each access, if all blocks get one label. */
  private static List<Long> recordedOfEvictionsMadeAgain(int label) {
    OramConfig config = Rings.of(16, 512, 16, 6, 2, 3, 1);
    HeldVault vault = new HeldVault();
    FaultyStore[] faulty = new FaultyStore[1];
    List<Long> bytes = new ArrayList<>();
    try {
      Medium medium =
          Medium.memory(
              Orams.storeBytes(config), store -> faulty[0] = new FaultyStore(store), vault);
      try (ModelledOram oram = new ModelledOram(medium, config, leaves -> label % leaves)) {
        for (int access = 0; access < 3 * LEAVES; access++) {
          if (access % 2 == 0) {
            faulty[0].failNthWrite(1);
          }
          oram.read(0, 16);
          long sum = 0;
          for (String log : vault.logs()) {
            sum += vault.openLog(log).bytes();
          }
          bytes.add(sum);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes;
  }

  @Test
  void everyEarlierVersionOfASlotIsFound() throws IOException {
    OramConfig config = Rings.of(40, 512, 4, 4, 2, 3, 0);
    FaultyStore[] faulty = new FaultyStore[1];
    OpenOptions options = OpenOptions.defaults().withDurability(Durability.OS);
    Medium medium =
        Medium.memory(
            Orams.storeBytes(config),
            store -> {
              faulty[0] = new FaultyStore(store);
              watch = new RingWatch(faulty[0], config, false);
              return watch;
            });
    Random random = new Random(7);
    try (ModelledOram oram =
        new ModelledOram(medium, config, options, ModelledOram.seededLabels(3))) {
      List<List<byte[]>> versions = new ArrayList<>();
      for (int access = 0; access < 60; access++) {
        oram.write(random.nextInt(37), 1 + random.nextInt(4), random);
        remember(faulty[0], versions);
      }
      int found = 0;
      int number = 0;
      for (int level = 0; level < watch.levels().size(); level++) {
        RingWatch.Level at = watch.levels().get(level);
        int bytes = at.slots() * watch.slotBytes();
        for (long place = 0; place < at.places(); place++) {
          found +=
              putBack(
                  oram, faulty[0], level, place, at.base() + place * bytes, versions.get(number++));
        }
      }
      assertThat(found).isGreaterThan(1000);
      oram.checkAll();
    }
  }

  /** Keeps what is new in the places of all buckets. */
  private void remember(FaultyStore store, List<List<byte[]>> versions) throws IOException {
    int number = 0;
    for (RingWatch.Level level : watch.levels()) {
      int bytes = level.slots() * watch.slotBytes();
      for (long place = 0; place < level.places(); place++) {
        if (versions.size() == number) {
          versions.add(new ArrayList<>());
        }
        List<byte[]> known = versions.get(number++);
        byte[] now = store.snapshot(level.base() + place * bytes, bytes);
        if (known.isEmpty() || !Arrays.equals(known.get(known.size() - 1), now)) {
          known.add(now);
        }
      }
    }
  }

  /** Returns how many slots were found out. */
  private int putBack(
      ModelledOram oram,
      FaultyStore store,
      int level,
      long place,
      long offset,
      List<byte[]> versions)
      throws IOException {
    int found = 0;
    byte[] now = versions.get(versions.size() - 1);
    for (byte[] version : versions.subList(0, versions.size() - 1)) {
      store.restore(offset, version);
      VerifyReport report = oram.oram().verify((done, total) -> {});
      int slots = watch.levels().get(level).slots();
      if (watch.isCurrent(level, place)) {
        long missing =
            report.findings().stream()
                .filter(finding -> finding.kind() == VerifyReport.Kind.MISSING)
                .count();
        assertThat(report.findingCount()).isBetween((long) slots, slots + 40L);
        assertThat(missing).isLessThanOrEqualTo(40);
        found += slots;
      } else {
        assertThat(report.clean()).isTrue();
      }
    }
    store.restore(offset, now);
    return found;
  }

  /** A store that computes the XOR of units, and lets the store below see that each one is read. */
  private static final class XorStore extends FilterBlockStore {
    XorStore(BlockStore below) {
      super(below);
    }

    @Override
    public boolean computesXor() {
      return true;
    }
  }
}
