package io.github.roram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores that grow, again and again, against a plain array that grows with them. */
class GrowTest {

  private static final int BLOCK_BYTES = 512;
  private static final int RANGE = 8;
  private static final String CLIENT_LABELS = "clientLabels";

  @TempDir private Path directory;

  /** Each growth: a part of a level, one, two; and the number of levels where it is the same. */
  private static final double[] FACTORS = {1.3, 2, 4, 1.01};

  static Stream<OramConfig> configurations() {
    return Stream.of(
        small(60, "roram").sizeClasses(0, 3).chunkPaths(3).windowBlocks(0).build(),
        small(64, "roram").trees(0, 2).chunkPaths(4).windowBlocks(10).build(),
        small(90, "roram").chunkPaths(5).windowBlocks(24).treetopBytes(20_000).build(),
        small(40, "roram").preset(Preset.PAPER).sizeClasses(0, 1, 3).build(),
        small(70, "roram").trees(0, 3).writeShare(0.1).treetopBytes(9_000).build(),
        small(50, "roram").sizeClasses(0, 1, 3).windowBlocks(2).revealOperationType(true).build(),
        recursive(60, "roram").sizeClasses(0, 3).chunkPaths(3).windowBlocks(0).build(),
        recursive(90, "roram").trees(0, 2).set(CLIENT_LABELS, 1).windowBlocks(9).build(),
        recursive(100, "roram").trees(0, 3).build(),
        recursive(60, "roram").trees(0, 3).set(CLIENT_LABELS, 64).build(),
        recursive(9, "roram").windowBlocks(0).build(),
        recursive(1, "path-batched").maxRangeBlocks(1).build(),
        recursive(70, "path-batched").set(CLIENT_LABELS, 2).chunkPaths(2).build(),
        recursive(40, "path-batched").windowBlocks(3).build(),
        small(60, "path-batched").chunkPaths(2).windowBlocks(0).build(),
        small(1, "path-batched").maxRangeBlocks(1).build(),
        small(90, "path-batched").chunkPaths(7).windowBlocks(20).treetopBytes(20_000).build());
  }

  private static OramConfig.Builder small(int blocks, String scheme) {
    return OramConfig.builder(blocks)
        .scheme(scheme)
        .blockBytes(BLOCK_BYTES)
        .maxRangeBlocks(RANGE)
        .treetopBytes(0);
  }

  /** With few blocks whose labels are together, so that there are several trees of the map. */
  private static OramConfig.Builder recursive(int blocks, String scheme) {
    return small(blocks, scheme)
        .positionMap("recursive")
        .set("blocksPerMapBlock", 4)
        .set(CLIENT_LABELS, 4);
  }

  /** One that writes a half of the superblock at some time, and fails. */
  private static final class TearingStore extends HeapStore {
    private boolean tears;

    TearingStore(long bytes) {
      super(bytes);
    }

    @Override
    public void write(ExtentBatch batch, UnitSource source) throws IOException {
      if (!tears || batch.offset(0) != 0) {
        super.write(batch, source);
        return;
      }
      byte[] before = copy();
      super.write(batch, source);
      byte[] torn = copy();
      System.arraycopy(before, 2048, torn, 2048, 2048);
      restore(torn);
      throw new IOException("injected: the power failed");
    }
  }

  /** A store, its client, and what it must hold. */
  private static final class Subject implements AutoCloseable {
    private final Random random;
    private final MasterKey key = MasterKey.generate();
    private final OpenOptions options;
    private final TearingStore store;
    private ClientVault medium = ClientVault.inMemory();
    private ProcessVault vault = new ProcessVault(medium);
    private byte[] model;
    private Oram oram;

    Subject(OramConfig config, OpenOptions options) throws IOException {
      this.options = options;
      random = new Random(config.toString().hashCode()); // the same in every JVM
      store = new TearingStore(Orams.storeBytes(config));
      model = new byte[(int) config.bytes()];
      oram = Orams.create(store, vault, config, key, options);
    }

    void grow(double factor) throws IOException {
      long blocks = (long) (oram.config().blocks() * factor) + 1;
      oram.grow(blocks);
      assertThat(oram.config().blocks()).isEqualTo(blocks);
      model = Arrays.copyOf(model, (int) oram.config().bytes());
    }

    void accesses(int count) throws IOException {
      for (int i = 0; i < count; i++) {
        int fate = random.nextInt(25);
        if (fate == 0) {
          oram.close();
        }
        if (fate <= 1) {
          reopen();
        }
        access();
      }
    }

    void reopen() throws IOException {
      vault.die();
      vault = new ProcessVault(medium);
      oram = Orams.open(store, vault, key, options);
      assertThat(oram.config().bytes()).isEqualTo(model.length);
    }

    private void access() throws IOException {
      int range = oram.config().maxRangeBlocks();
      int count = 1 + random.nextInt(range);
      int all = model.length / BLOCK_BYTES;
      int block = random.nextInt(5) == 0 ? all - count : random.nextInt(all - count + 1);
      int from = block * BLOCK_BYTES;
      if (random.nextBoolean()) {
        byte[] data = new byte[count * BLOCK_BYTES];
        random.nextBytes(data);
        oram.write(block, ByteBuffer.wrap(data));
        System.arraycopy(data, 0, model, from, data.length);
      } else {
        assertThat(oram.read(block, count))
            .isEqualTo(ByteBuffer.wrap(model, from, count * BLOCK_BYTES));
      }
    }

    void check() throws IOException {
      assertThat(oram.verify((done, total) -> {}).findings()).isEmpty();
      byte[] scanned = new byte[model.length];
      oram.scan((block, data) -> data.get(scanned, (int) block * BLOCK_BYTES, BLOCK_BYTES));
      assertThat(scanned).isEqualTo(model);
      assertThat(oram.stats().stashMaxBlocks()).isLessThan(100);
    }

    @Override
    public void close() throws IOException {
      oram.close();
      key.close();
      assertThat(vault.logs()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void answersLikeAPlainArray(OramConfig config) throws IOException {
    long checkpointBytes = config.blocks() % 20 == 0 ? OpenOptions.MIN_CHECKPOINT_BYTES : 1L << 30;
    OpenOptions options = OpenOptions.defaults().withCheckpointBytes(checkpointBytes);
    try (Subject subject = new Subject(config, options)) {
      subject.accesses(40);
      for (double factor : FACTORS) {
        subject.grow(factor);
        subject.accesses(50);
        subject.check();
      }
    }
  }

  @Test
  void aTornSuperblockIsFinished() throws IOException {
    OramConfig config = small(64, "roram").trees(0, 2).build();
    try (Subject subject = new Subject(config, OpenOptions.defaults())) {
      subject.accesses(40);
      subject.store.tears = true;
      assertThatThrownBy(() -> subject.grow(2)).hasMessageContaining("the power failed");
      subject.store.tears = false;
      subject.model = Arrays.copyOf(subject.model, 129 * BLOCK_BYTES);
      subject.reopen();
      subject.accesses(40);
      subject.check();
    }
  }

  /** Accesses go on, and whatever saves the state next writes the superblock before. */
  @Test
  void aSuperblockThatFailedIsWrittenBeforeTheState() throws IOException {
    OramConfig config = small(64, "roram").trees(0, 2).build();
    try (Subject subject = new Subject(config, OpenOptions.defaults())) {
      subject.accesses(20);
      subject.store.tears = true;
      assertThatThrownBy(() -> subject.grow(2)).hasMessageContaining("the power failed");
      subject.model = Arrays.copyOf(subject.model, 129 * BLOCK_BYTES);
      for (int i = 0; i < 20; i++) {
        subject.access();
      }
      assertThatThrownBy(() -> subject.oram.close()).hasMessageContaining("the power failed");
      subject.store.tears = false;
      subject.reopen();
      subject.accesses(40);
      subject.check();
    }
  }

  /**
   * Accesses after several growths are only in the journal, which has them between the growths; the
   * process dies before the superblock is written, or the state saved again.
   */
  @ParameterizedTest
  @MethodSource("maps")
  void theJournalHasGrowthsAmongAccesses(OramConfig config) throws IOException {
    for (boolean loses : List.of(false, true)) {
      try (Subject subject = new Subject(config, OpenOptions.defaults())) {
        for (int i = 0; i < 30; i++) {
          subject.access();
        }
        byte[] before = subject.store.copy();
        for (double factor : FACTORS) {
          subject.grow(factor);
          for (int i = 0; i < 30; i++) {
            subject.access();
          }
        }
        if (loses) {
          subject.store.restore(withSuperblock(subject.store.copy(), before));
        }
        subject.reopen();
        subject.check();
        subject.accesses(40);
        subject.oram.close();
        subject.reopen();
        subject.check();
      }
    }
  }

  /** Labels with the client, and on the store. */
  static Stream<OramConfig> maps() {
    return Stream.of(
        small(40, "roram").trees(0, 2).build(), recursive(40, "roram").trees(0, 2).build());
  }

  /** What was loaded before is found after it, by an eviction, under another key, and by none. */
  @ParameterizedTest
  @MethodSource("maps")
  void loadedBeforeAndResealedAfter(OramConfig config) throws IOException {
    try (Subject subject = new Subject(config, OpenOptions.defaults());
        FileChannel source = FileChannel.open(Files.write(directory.resolve("data"), noise()));
        MasterKey newKey = MasterKey.generate()) {
      subject.oram.bulkLoad(source, 1 << 20, loaded -> {});
      System.arraycopy(noise(), 0, subject.model, 0, subject.model.length);
      subject.grow(3);
      subject.check();
      subject.accesses(20);
      subject.grow(2);
      subject.accesses(60);
      subject.oram.close();
      SalvageReport report =
          Orams.salvage(
              subject.store,
              subject.medium,
              subject.key,
              subject.options,
              (block, data) -> assertThat(block).isLessThan(subject.oram.config().blocks()));
      assertThat(report.missingBuckets()).isZero();
      assertThat(report.foundBlocks()).isGreaterThan(config.blocks() / 2);
      Orams.rekey(subject.store, subject.medium, subject.key, newKey, bytes -> {});
      subject.oram = Orams.open(subject.store, subject.vault, newKey, OpenOptions.defaults());
      subject.check();
    }
  }

  private static byte[] noise() {
    byte[] noise = new byte[40 * BLOCK_BYTES];
    new Random(8).nextBytes(noise);
    return noise;
  }

  /** The process died after the record of the growth, and before the superblock. */
  private static Subject cutBeforeTheSuperblock() throws IOException {
    Subject subject = new Subject(small(64, "roram").trees(0, 2).build(), OpenOptions.defaults());
    subject.accesses(30);
    byte[] before = subject.store.copy();
    subject.grow(2);
    subject.store.restore(withSuperblock(subject.store.copy(), before));
    subject.vault.die();
    subject.vault = new ProcessVault(subject.medium);
    return subject;
  }

  @Test
  void aChangeOfKeysFinishesItFirst() throws IOException {
    try (Subject subject = cutBeforeTheSuperblock();
        MasterKey newKey = MasterKey.generate()) {
      Orams.rekey(subject.store, subject.vault, subject.key, newKey, bytes -> {});
      subject.oram = Orams.open(subject.store, subject.vault, newKey, OpenOptions.defaults());
      assertThat(subject.oram.config().blocks()).isEqualTo(129);
      subject.check();
    }
  }

  @Test
  void itOpensAsWhatItGrewTo() throws IOException {
    try (Subject subject = cutBeforeTheSuperblock()) {
      OramConfig larger = Orams.inspect(subject.store).config().toBuilder().blocks(129).build();
      subject.oram = Orams.open(subject.store, subject.vault, larger, subject.key);
      subject.check();
      subject.accesses(20);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {64, 128, 130})
  void itDoesNotOpenAsAnother(int blocks) throws IOException {
    try (Subject subject = cutBeforeTheSuperblock()) {
      OramConfig other = Orams.inspect(subject.store).config().toBuilder().blocks(blocks).build();
      assertThatThrownBy(() -> Orams.open(subject.store, subject.vault, other, subject.key))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("blocks=129");
      subject.reopen();
      subject.accesses(20);
      subject.check();
    }
  }

  /** Its end was lost, with the record of the growth; the superblock was not. */
  @Test
  void theSuperblockOfAGrowthThatWasUndoneIsNoticed() throws IOException {
    OramConfig config = small(64, "roram").trees(0, 2).build();
    try (Subject subject = new Subject(config, OpenOptions.defaults())) {
      subject.accesses(30);
      byte[] before = subject.store.copy();
      byte[] model = subject.model.clone();
      ClientVault records = ClientVault.inMemory();
      for (String name : subject.medium.names()) {
        subject.medium.copyRecord(name, records);
      }
      for (String name : subject.medium.logs()) {
        subject.medium.copyLog(name, records);
      }
      for (int i = 0; i < 20; i++) {
        subject.access();
      }
      subject.grow(2);
      subject.vault.die();
      byte[] lost = subject.store.copy();
      subject.store.restore(withSuperblock(before, lost));
      subject.medium = records;
      subject.model = Arrays.copyOf(model, 129 * BLOCK_BYTES);
      subject.reopen();
      subject.accesses(20);
      subject.oram.close();
      byte[] after = subject.store.copy();
      subject.store.restore(withSuperblock(after, lost));
      assertThatThrownBy(subject::reopen)
          .isInstanceOf(IntegrityException.class)
          .hasMessageContaining("older");
      subject.store.restore(after);
      subject.reopen();
      subject.check();
    }
  }

  private static byte[] withSuperblock(byte[] store, byte[] of) {
    byte[] mixed = Arrays.copyOf(store, Math.max(store.length, of.length));
    System.arraycopy(of, 0, mixed, 0, 4096);
    return mixed;
  }

  /** Without any access in between, before, or after it. */
  @Test
  void growsTwiceAtOnce() throws IOException {
    OramConfig config = small(32, "roram").trees(0, 2).build();
    try (Subject subject = new Subject(config, OpenOptions.defaults())) {
      subject.grow(2);
      subject.grow(3);
      subject.reopen();
      subject.grow(2);
      subject.check();
      subject.accesses(80);
      subject.check();
    }
  }

  @Test
  void trimmedBlocksStayTrimmed() throws IOException {
    OramConfig config = small(64, "roram").build();
    try (Subject subject = new Subject(config, OpenOptions.defaults().withTrims(true))) {
      subject.accesses(100);
      assertThat(subject.oram.trim(3, 20)).isTrue();
      Arrays.fill(subject.model, 3 * BLOCK_BYTES, 23 * BLOCK_BYTES, (byte) 0);
      subject.oram.flush();
      subject.grow(2);
      subject.check();
      subject.reopen();
      subject.check();
      assertThat(subject.oram.trim(60, 60)).isTrue();
      Arrays.fill(subject.model, 60 * BLOCK_BYTES, 120 * BLOCK_BYTES, (byte) 0);
      subject.oram.flush();
      subject.accesses(40);
      subject.check();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"path", "tao", "ring"})
  void othersAreRefusedAndStayAsTheyAre(String scheme) throws IOException {
    OramConfig config =
        OramConfig.builder(60).scheme(scheme).blockBytes(512).maxRangeBlocks(1).build();
    assertRefused(config, 120, "clone");
  }

  @Test
  void theReasonIsNamed() throws IOException {
    OramConfig config = small(60, "roram").build();
    assertRefused(config, 60, "has 60 blocks");
    assertRefused(config, OramConfig.MAX_BLOCKS + 1, "blocks");
    OpenOptions none = OpenOptions.defaults().withDurability(Durability.NONE);
    try (Subject subject = new Subject(config, none)) {
      assertThatThrownBy(() -> subject.oram.grow(120))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("durability is NONE");
      subject.access();
    }
  }

  /** As a volume of a block server is: it has the room that it was made with. */
  @Test
  void aStoreOfFixedSizeGrowsIntoItsRoomAndIsRefusedBeyond() throws IOException {
    OramConfig config = small(60, "roram").build();
    HeapStore heap = new HeapStore(4 * Orams.storeBytes(config));
    BlockStore fixed =
        new FilterBlockStore(heap) {
          @Override
          public boolean extend(long capacityBytes) {
            return false;
          }
        };
    ByteBuffer data = ByteBuffer.wrap(new byte[BLOCK_BYTES]).putInt(0, 7);
    try (MasterKey key = MasterKey.generate();
        Oram oram =
            Orams.create(fixed, ClientVault.inMemory(), config, key, OpenOptions.defaults())) {
      oram.grow(120);
      oram.write(119, data.duplicate());
      assertThatThrownBy(() -> oram.grow(6000))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContainingAll("cannot be made larger", "roram clone --blocks");
      assertThat(oram.config().blocks()).isEqualTo(120);
      assertThat(oram.read(119, 1)).isEqualTo(data.clear());
    }
  }

  private static void assertRefused(OramConfig config, long blocks, String reason)
      throws IOException {
    try (Subject subject = new Subject(config, OpenOptions.defaults())) {
      subject.access();
      assertThatThrownBy(() -> subject.oram.grow(blocks))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining(reason);
      subject.access();
      subject.oram.close();
      subject.reopen();
      subject.access();
    }
  }

  private static void putBackGrowth(Subject subject, byte[] record) throws IOException {
    subject.medium.save("grow", out -> out.write(record));
  }

  private static byte[] superblock(Subject subject) {
    return Arrays.copyOf(subject.store.copy(), 4096);
  }

  @Test
  void theRecordOfAnEarlierGrowthChangesNothing() throws IOException {
    try (Subject subject = new Subject(small(60, "roram").build(), OpenOptions.defaults())) {
      subject.grow(2);
      byte[] earlier = superblock(subject);
      subject.grow(2);
      subject.access();
      subject.oram.close();
      byte[] own = superblock(subject);
      for (byte[] record : List.of(new byte[1], new byte[4096], Arrays.copyOf(earlier, 5000))) {
        putBackGrowth(subject, record);
        assertThatThrownBy(subject::reopen)
            .isInstanceOf(IntegrityException.class)
            .hasMessageContaining("'grow' is damaged");
      }
      putBackGrowth(subject, earlier);
      subject.reopen();
      assertThat(superblock(subject)).isEqualTo(own);
      subject.check();
    }
  }

  /** The change of keys was broken off when its superblock was there, and goes on. */
  @Test
  void theRecordOfAnEarlierGrowthIsNotGivenAnotherKey() throws IOException {
    try (Subject subject = new Subject(small(60, "roram").build(), OpenOptions.defaults());
        MasterKey newKey = MasterKey.generate()) {
      subject.grow(2);
      byte[] earlier = superblock(subject);
      subject.grow(2);
      subject.access();
      subject.oram.close();
      BlockStore breaking =
          new FilterBlockStore(subject.store) {
            @Override
            public void write(ExtentBatch batch, UnitSource source) throws IOException {
              super.write(batch, source);
              if (batch.offset(0) == 0) {
                throw new IOException("injected: killed");
              }
            }
          };
      assertThatThrownBy(
              () -> Orams.rekey(breaking, subject.medium, subject.key, newKey, bytes -> {}))
          .hasMessageContaining("killed");
      putBackGrowth(subject, earlier);
      Orams.rekey(subject.store, subject.medium, subject.key, newKey, bytes -> {});
      subject.oram = Orams.open(subject.store, subject.vault, newKey, OpenOptions.defaults());
      subject.check();
    }
  }

  /** One of before it grew, and one of another store that has the same key. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aGenuineSuperblockThatIsNotTheStoresGetsNoNewKey(boolean own) throws IOException {
    OramConfig config = small(60, "roram").build();
    try (Subject subject = new Subject(config, OpenOptions.defaults());
        MasterKey newKey = MasterKey.generate()) {
      HeapStore another = new HeapStore(Orams.storeBytes(config));
      Orams.create(another, ClientVault.inMemory(), config, subject.key).close();
      byte[] wrong = own ? superblock(subject) : another.copy();
      subject.grow(2);
      subject.accesses(40);
      subject.oram.close();
      byte[] right = superblock(subject);
      BlockStore hostile =
          new FilterBlockStore(subject.store) {
            @Override
            public void write(ExtentBatch batch, UnitSource source) throws IOException {
              super.write(batch, source);
              if (batch.offset(0) > 0) {
                subject.store.restore(withSuperblock(subject.store.copy(), wrong));
              }
            }
          };
      assertThatThrownBy(
              () -> Orams.rekey(hostile, subject.medium, subject.key, newKey, bytes -> {}))
          .isInstanceOf(IntegrityException.class)
          .hasMessageContaining("was replaced while its keys were changed");
      assertThat(superblock(subject)).isEqualTo(Arrays.copyOf(wrong, 4096));
      // Nor when it goes on.
      assertThatThrownBy(
              () -> Orams.rekey(subject.store, subject.medium, subject.key, newKey, bytes -> {}))
          .isInstanceOf(own ? IntegrityException.class : UncleanShutdownException.class);
      assertThat(superblock(subject)).isEqualTo(Arrays.copyOf(wrong, 4096));
      subject.store.restore(withSuperblock(subject.store.copy(), right));
      Orams.rekey(subject.store, subject.medium, subject.key, newKey, bytes -> {});
      subject.oram = Orams.open(subject.store, subject.vault, newKey, OpenOptions.defaults());
      subject.check();
    }
  }

  /** A store whose superblock is put back by one of before it grew. */
  @Test
  void anOlderSuperblockIsNoticed() throws IOException {
    for (double factor : List.of(1.01, 2.0)) {
      OramConfig config = small(60, "roram").build();
      try (Subject subject = new Subject(config, OpenOptions.defaults())) {
        subject.accesses(20);
        byte[] before = subject.store.copy();
        subject.grow(factor);
        subject.accesses(20);
        subject.oram.close();
        byte[] after = subject.store.copy();
        subject.store.restore(withSuperblock(after, before));
        assertThatThrownBy(subject::reopen)
            .isInstanceOf(IntegrityException.class)
            .hasMessageContaining("older");
        subject.store.restore(after);
        subject.reopen();
        subject.check();
      }
    }
  }
}
