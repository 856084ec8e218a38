package io.github.roram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link Oram#scan}: what accesses would read, in requests that tell nothing. */
class ScanTest {

  private static final int BLOCK_BYTES = 512;
  private static final int SUPERBLOCK_BYTES = 4096;

  /** Each scheme with each preset: at the defaults, or with sizes of its own, in turn. */
  static Stream<OramConfig> configurations() {
    Stream.Builder<OramConfig> all = Stream.builder();
    int number = 0;
    for (String scheme : List.of("path", "path-batched", "roram")) {
      for (Preset preset : Preset.values()) {
        OramConfig.Builder b = builder(scheme).preset(preset);
        if (number++ % 2 == 1) {
          b.treetopBytes(16 * BLOCK_BYTES).chunkPaths(5).windowBlocks(7);
          b.recursivePositionMap("path".equals(scheme));
        }
        all.add(b.build());
      }
    }
    for (double writeShare : new double[] {0.1, 0.9}) {
      OramConfig.Builder b = builder("roram").writeShare(writeShare).treetopBytes(0);
      all.add(b.chunkPaths(9).windowBlocks(30).build());
    }
    all.add(builder("roram").sizeClasses(0, 2, 4).treetopBytes(0).build());
    return all.build();
  }

  static Stream<OramConfig> smallConfigurations() {
    return Stream.of(
        builder("roram").sizeClasses(0, 2, 4).treetopBytes(0).chunkPaths(9).build(),
        builder("path-batched").treetopBytes(0).chunkPaths(9).build(),
        builder("path").build(),
        builder("path").recursivePositionMap(true).build());
  }

  private static OramConfig.Builder builder(String scheme) {
    return OramConfig.builder(1300).scheme(scheme).blockBytes(BLOCK_BYTES).maxRangeBlocks(16);
  }

  /** An ORAM in memory, beside a plain array. */
  private static final class Fixture implements AutoCloseable {
    private final MasterKey key = MasterKey.generate();
    private final ClientVault vault = ClientVault.inMemory();
    private final OramConfig config;
    private final Random random;
    private final byte[] model;
    private final BitSet written = new BitSet();
    private final List<String> requests = new ArrayList<>();
    private boolean readsFail;
    private boolean writesFail;
    private final HeapStore store;
    private Oram oram;

    Fixture(OramConfig config) throws IOException {
      this(config, 3);
    }

    Fixture(OramConfig config, long seed) throws IOException {
      this.config = config;
      random = new Random(seed);
      model = new byte[(int) config.bytes()];
      store =
          new HeapStore(Orams.storeBytes(config)) {
            @Override
            public void read(ExtentBatch batch, UnitSink sink) throws IOException {
              StringBuilder request = new StringBuilder("read");
              for (int i = 0; i < batch.extents(); i++) {
                request.append(' ').append(batch.offset(i)).append('+').append(batch.bytes(i));
              }
              requests.add(request.toString());
              super.read(batch, sink);
              if (readsFail) {
                throw new IOException("injected");
              }
            }

            @Override
            public void write(ExtentBatch batch, UnitSource source) throws IOException {
              requests.add("write");
              super.write(batch, source);
              if (writesFail) {
                throw new IOException("injected");
              }
            }
          };
      oram = Orams.create(store, vault, config, key);
    }

    /** Bulk loads the first bytes of the array. */
    void load(int bytes) throws IOException {
      Path file = Files.createTempFile("scan", "");
      Files.write(file, Arrays.copyOf(model, bytes));
      try (FileChannel source = FileChannel.open(file, StandardOpenOption.DELETE_ON_CLOSE)) {
        oram.bulkLoad(source, 1 << 20, loaded -> {});
      }
      written.set(0, bytes / BLOCK_BYTES);
    }

    /** Reads and writes at random places, as many blocks each as the other generator says. */
    void use(int accesses, Random sizes) throws IOException {
      for (int i = 0; i < accesses; i++) {
        int count = 1 + sizes.nextInt(config.maxRangeBlocks());
        int block = random.nextInt((int) config.blocks() - count + 1);
        if (random.nextBoolean()) {
          byte[] data = new byte[count * BLOCK_BYTES];
          random.nextBytes(data);
          System.arraycopy(data, 0, model, block * BLOCK_BYTES, data.length);
          written.set(block, block + count);
          oram.write(block, ByteBuffer.wrap(data));
        } else {
          oram.read(block, count);
        }
      }
    }

    void use(int accesses) throws IOException {
      use(accesses, random);
    }

    /** Reads until one fails, which a failed eviction makes the next one do. */
    boolean useUntilOneFails(int most) {
      for (int i = 0; i < most; i++) {
        try {
          oram.read(random.nextInt((int) config.blocks()), 1);
        } catch (IOException e) {
          assertThat(e).hasMessage("injected");
          return true;
        }
      }
      return false;
    }

    /** As a process that died and another one that opens the store. */
    void reopen() throws IOException {
      oram = Orams.open(store, vault, key);
    }

    /** Scans; what blocks that do not come read as is zeros. */
    void check() throws IOException {
      byte[] scanned = new byte[model.length];
      BitSet met = new BitSet();
      oram.scan(
          (block, data) -> {
            assertThat(met.get((int) block)).as("block %s comes again", block).isFalse();
            met.set((int) block);
            assertThat(data.isReadOnly()).isTrue();
            assertThat(data.remaining()).isEqualTo(BLOCK_BYTES);
            data.get(scanned, (int) block * BLOCK_BYTES, BLOCK_BYTES);
          });
      assertThat(scanned).isEqualTo(model);
      BitSet missing = (BitSet) written.clone();
      missing.andNot(met);
      assertThat(missing.isEmpty()).isTrue();
    }

    List<String> requestsOfScan() throws IOException {
      requests.clear();
      check();
      return List.copyOf(requests);
    }

    @Override
    public void close() {
      key.close();
    }
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void hasWhatAccessesRead(OramConfig config) throws IOException {
    try (Fixture fixture = new Fixture(config)) {
      fixture.check();
      for (int round = 0; round < 3; round++) {
        fixture.use(round * 60);
        fixture.check();
        if (round % 2 == 1 || "path".equals(config.scheme())) {
          fixture.oram.close();
        }
        fixture.reopen(); // but for rounds that closed it, a crash
        fixture.check();
      }
      fixture.use(100);
      fixture.check();
    }
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void hasWhatWasLoadedAndWrittenSince(OramConfig config) throws IOException {
    try (Fixture fixture = new Fixture(config)) {
      int loaded = 1000 * BLOCK_BYTES;
      for (int at = 0; at < loaded; at++) {
        fixture.model[at] = (byte) (at / BLOCK_BYTES + 7 * at + 1);
      }
      fixture.load(loaded);
      fixture.check();
      fixture.use(100);
      fixture.check();
    }
  }

  @ParameterizedTest
  @MethodSource("smallConfigurations")
  void changesNothing(OramConfig config) throws IOException {
    try (Fixture fixture = new Fixture(config)) {
      fixture.use(300);
      if ("path".equals(config.scheme())) {
        fixture.oram.close();
      }
      fixture.reopen();
      byte[] before = fixture.store.copy();
      long logs = fixture.vault.logs().size();
      List<Long> done = new ArrayList<>();
      List<Long> totals = new ArrayList<>();
      fixture.oram.scan(
          new BlockSink() {
            @Override
            public void accept(long block, ByteBuffer data) {}

            @Override
            public void advancedTo(long doneBytes, long totalBytes) {
              done.add(doneBytes);
              totals.add(totalBytes);
            }
          });
      assertThat(done).isSorted().doesNotHaveDuplicates();
      assertThat(totals).containsOnly(done.get(done.size() - 1));
      assertThat(fixture.store.copy()).isEqualTo(before);
      assertThat(fixture.vault.logs()).hasSize((int) logs);
      fixture.check();
      fixture.oram.close();
      assertThatThrownBy(fixture::check).isInstanceOf(ClosedChannelException.class);
    }
  }

  static Stream<OramConfig> treeConfigurations() {
    // With a share of 0.1 it shows that more was written.
    return configurations()
        .filter(config -> !"path".equals(config.scheme()))
        .filter(config -> TreeParameters.of(config).writeShare() > 0.5);
  }

  /** Other addresses, other data, other operations, other labels: the same requests. */
  @ParameterizedTest
  @MethodSource("treeConfigurations")
  void theStoreSeesAFunctionOfTheClasses(OramConfig config) throws IOException {
    try (Fixture one = new Fixture(config, 1);
        Fixture other = new Fixture(config, 2)) {
      for (int round = 0; round < 2; round++) {
        one.use(100, new Random(round));
        other.use(100, new Random(round));
        List<String> requests = one.requestsOfScan();
        assertThat(other.requestsOfScan()).isEqualTo(requests);
        assertThat(requests).allMatch(request -> request.startsWith("read"));
        assertReadOnce(requests);
      }
    }
  }

  /** Nothing is read twice. */
  private static void assertReadOnce(List<String> requests) {
    BitSet read = new BitSet();
    for (String request : requests) {
      for (String extent : request.split(" ")) {
        if (extent.indexOf('+') > 0) {
          int offset = Integer.parseInt(extent.substring(0, extent.indexOf('+')));
          int bytes = Integer.parseInt(extent.substring(extent.indexOf('+') + 1));
          assertThat(read.get(offset, offset + bytes).isEmpty()).isTrue();
          read.set(offset, offset + bytes);
        }
      }
    }
  }

  /** In Path ORAM, once all buckets were written: its paths are what it showed before. */
  @Test
  void thePassOverAPathOramIsThatOfItsSize() throws IOException {
    OramConfig config = builder("path").recursivePositionMap(true).build();
    List<List<String>> views = new ArrayList<>();
    for (int seed = 0; seed < 2; seed++) {
      try (Fixture fixture = new Fixture(config, seed)) {
        fixture.random.nextBytes(fixture.model);
        fixture.load(fixture.model.length);
        fixture.use(50);
        views.add(fixture.requestsOfScan());
      }
    }
    assertThat(views.get(1)).isEqualTo(views.get(0));
    assertReadOnce(views.get(0));
  }

  @ParameterizedTest
  @MethodSource("smallConfigurations")
  void noForgedBlockIsEverHandedOver(OramConfig config) throws IOException {
    try (Fixture fixture = new Fixture(config)) {
      fixture.use(700);
      int found = 0;
      for (int i = 0; i < 60; i++) {
        int offset =
            SUPERBLOCK_BYTES
                + fixture.random.nextInt((int) fixture.store.capacityBytes() - SUPERBLOCK_BYTES);
        fixture.store.flip(offset);
        try {
          fixture.oram.scan(
              (block, data) ->
                  assertThat(data)
                      .isEqualTo(
                          ByteBuffer.wrap(fixture.model, (int) block * BLOCK_BYTES, BLOCK_BYTES)));
        } catch (IntegrityException e) {
          assertThat(e).hasMessageMatching("bucket at tree \\d+, level \\d+, eviction \\d+: .*");
          found++;
        }
        fixture.store.flip(offset);
      }
      // The others are places of older versions, or of trees that are not scanned.
      assertThat(found).isGreaterThan(7);
      fixture.check();
    }
  }

  @ParameterizedTest
  @MethodSource("smallConfigurations")
  void anOlderStoreIsRefused(OramConfig config) throws IOException {
    try (Fixture fixture = new Fixture(config)) {
      fixture.use(300);
      byte[] old = fixture.store.copy();
      fixture.use(300);
      byte[] now = fixture.store.copy();
      fixture.store.restore(old);
      assertThatThrownBy(fixture::check)
          .isInstanceOf(IntegrityException.class)
          .hasMessageContaining("rolled back, in its place is an older one");
      fixture.store.restore(now);
      fixture.check();
    }
  }

  @ParameterizedTest
  @MethodSource("smallConfigurations")
  void afterAFailedAccessItIsWhatTheNextOneWouldRead(OramConfig config) throws IOException {
    try (Fixture fixture = new Fixture(config)) {
      fixture.use(300);
      int failed = 0;
      for (int i = 0; i < 40; i++) {
        fixture.readsFail = i % 2 == 0;
        fixture.writesFail = !fixture.readsFail;
        boolean unfinished = fixture.useUntilOneFails(20);
        fixture.readsFail = false;
        fixture.writesFail = false;
        failed += unfinished ? 1 : 0;
        if (unfinished && "path".equals(config.scheme())) {
          assertThatThrownBy(fixture::check)
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("make one that succeeds, then scan");
        } else {
          fixture.check();
        }
        fixture.use(1);
        fixture.check();
      }
      assertThat(failed).isGreaterThan(20);
    }
  }

  @ParameterizedTest
  @MethodSource("smallConfigurations")
  void whatTheSinkThrowsEndsTheScan(OramConfig config) throws IOException {
    try (Fixture fixture = new Fixture(config)) {
      fixture.use(300);
      for (int after : new int[] {1, 40, 400}) {
        for (Exception thrown :
            List.of(new IOException("disk full"), new IllegalStateException())) {
          int[] left = {after};
          assertThatThrownBy(
                  () ->
                      fixture.oram.scan(
                          (block, data) -> {
                            if (--left[0] == 0) {
                              if (thrown instanceof IOException checked) {
                                throw checked;
                              }
                              throw (IllegalStateException) thrown;
                            }
                          }))
              .isSameAs(thrown);
          fixture.check();
        }
      }
      fixture.use(20);
      fixture.check();
    }
  }

  @Test
  void aSinkCannotAccessTheOram() throws IOException {
    try (Fixture fixture = new Fixture(builder("roram").build())) {
      fixture.use(100);
      List<org.assertj.core.api.ThrowableAssert.ThrowingCallable> calls =
          List.of(
              () -> fixture.oram.read(0, 1),
              () -> fixture.oram.write(0, ByteBuffer.allocate(BLOCK_BYTES)),
              () -> fixture.oram.flush(),
              () -> fixture.oram.scan((block, data) -> {}),
              () -> fixture.oram.verify((done, total) -> {}),
              () -> fixture.oram.close());
      fixture.oram.scan(
          (block, data) -> {
            for (var call : calls) {
              assertThatThrownBy(call)
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessageContaining("from within a scan");
            }
            assertThat(fixture.oram.stats().accesses()).isPositive();
          });
      fixture.check();
    }
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void paysForAllButNotForAPart(OramConfig config) throws IOException {
    try (Fixture fixture = new Fixture(config)) {
      fixture.load(fixture.model.length);
      assertThat(fixture.oram.scanPays(0)).isFalse();
      assertThat(fixture.oram.scanPays(1)).isFalse();
      assertThat(fixture.oram.scanPays(config.bytes())).isTrue();
      long from = 0;
      long to = config.bytes();
      while (to - from > 1) {
        long middle = (from + to) / 2;
        if (fixture.oram.scanPays(middle)) {
          to = middle;
        } else {
          from = middle;
        }
      }
      // About where the accesses move as much as a scan does, once more was written.
      long scanned = bytes(fixture.requestsOfScan());
      long moved = accessed(fixture, (int) (to / BLOCK_BYTES));
      assertThat((double) moved / scanned).isBetween(0.4, 2.5);
      assertThatThrownBy(() -> fixture.oram.scanPays(config.bytes() + 1))
          .hasMessageContaining("must be 0 to the store's " + config.bytes());
    }
  }

  private static long bytes(List<String> requests) {
    long bytes = 0;
    for (String request : requests) {
      for (String extent : request.split(" ")) {
        bytes += extent.indexOf('+') > 0 ? Long.parseLong(extent.split("\\+")[1]) : 0;
      }
    }
    return bytes;
  }

  /** How many bytes accesses to so many blocks move, on the average. */
  private static long accessed(Fixture fixture, int blocks) throws IOException {
    int most = fixture.config.maxRangeBlocks();
    int rounds = 10;
    long bytes = 0;
    for (int round = 0; round < rounds; round++) {
      fixture.requests.clear();
      for (int block = 0; block < blocks; block += most) {
        fixture.oram.read(block, Math.min(most, blocks - block));
      }
      bytes += bytes(fixture.requests);
      for (int i = 1; i < fixture.requests.size(); i++) {
        if (fixture.requests.get(i).equals("write")) {
          // As much as was read just before: the same paths.
          bytes += bytes(List.of(fixture.requests.get(i - 1)));
        }
      }
    }
    return bytes / rounds;
  }
}
