package io.github.roram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.VerifyReport.Finding;
import io.github.roram.VerifyReport.Kind;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link Oram#verify}: sound stores pass whatever was done to them, damaged ones are found out. */
class VerifyTest {

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
    return all.build();
  }

  static Stream<OramConfig> smallConfigurations() {
    return Stream.of(
        builder("roram").sizeClasses(0, 2, 4).treetopBytes(0).chunkPaths(9).build(),
        builder("path-batched").chunkPaths(9).build(),
        builder("path").build(),
        builder("path").recursivePositionMap(true).build());
  }

  private static OramConfig.Builder builder(String scheme) {
    return OramConfig.builder(1300).scheme(scheme).blockBytes(BLOCK_BYTES).maxRangeBlocks(16);
  }

  /** An ORAM in memory and the parts that it is opened from. */
  private static final class Fixture implements AutoCloseable {
    private final Random random = new Random(3);
    private final MasterKey key = MasterKey.generate();
    private final ClientVault vault = ClientVault.inMemory();
    private final HeapStore store;
    private final OramConfig config;
    private Oram oram;

    Fixture(OramConfig config) throws IOException {
      this.config = config;
      store = new HeapStore(Orams.storeBytes(config));
      oram = Orams.create(store, vault, config, key);
    }

    void use(int accesses) throws IOException {
      for (int i = 0; i < accesses; i++) {
        int count = 1 + random.nextInt(config.maxRangeBlocks());
        int block = random.nextInt((int) config.blocks() - count + 1);
        if (random.nextBoolean()) {
          byte[] data = new byte[count * BLOCK_BYTES];
          random.nextBytes(data);
          oram.write(block, ByteBuffer.wrap(data));
        } else {
          oram.read(block, count);
        }
      }
    }

    void reopen() throws IOException {
      oram = Orams.open(store, vault, key);
    }

    VerifyReport verify() throws IOException {
      return oram.verify((done, total) -> {});
    }

    @Override
    public void close() {
      key.close();
    }
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void soundStoresPass(OramConfig config) throws IOException {
    try (Fixture fixture = new Fixture(config)) {
      assertThat(fixture.verify()).isEqualTo(new VerifyReport(0, 0, 0, 0, List.of()));
      for (int round = 0; round < 3; round++) {
        fixture.use(round * 30);
        assertThat(fixture.verify().findings()).isEmpty();
        if (round == 1 || "path".equals(config.scheme())) {
          fixture.oram.close();
        }
        fixture.reopen(); // but for rounds that closed it, a crash
        VerifyReport report = fixture.verify();
        assertThat(report.findings()).isEmpty();
        assertThat(report.clean()).isTrue();
      }
    }
  }

  static Stream<OramConfig> presets() {
    return Stream.of("path", "path-batched", "roram")
        .flatMap(
            scheme ->
                Stream.of(Preset.values())
                    .map(
                        preset ->
                            OramConfig.builder(64)
                                .scheme(scheme)
                                .preset(preset)
                                .blockBytes(BLOCK_BYTES)
                                .maxRangeBlocks(4)
                                .treetopBytes(8 * BLOCK_BYTES)
                                .build()));
  }

  @ParameterizedTest
  @MethodSource("presets")
  void soundStoresPassAfterManyAccesses(OramConfig config) throws IOException {
    try (Fixture fixture = new Fixture(config)) {
      fixture.use(400);
      VerifyReport report = fixture.verify();
      assertThat(report.findings()).isEmpty();
      assertThat(report.blocks()).isEqualTo(config.blocks());
    }
  }

  @ParameterizedTest
  @MethodSource("smallConfigurations")
  void nothingIsWrittenAndProgressEndsAtItsTotal(OramConfig config) throws IOException {
    try (Fixture fixture = new Fixture(config)) {
      fixture.use(300);
      fixture.oram.close();
      fixture.reopen();
      byte[] before = fixture.store.copy();
      List<Long> done = new ArrayList<>();
      List<Long> totals = new ArrayList<>();
      VerifyReport report =
          fixture.oram.verify(
              (doneBytes, totalBytes) -> {
                done.add(doneBytes);
                totals.add(totalBytes);
              });
      assertThat(fixture.store.copy()).isEqualTo(before);
      assertThat(fixture.vault.logs()).isEmpty();
      assertThat(done).isSorted().doesNotHaveDuplicates();
      assertThat(totals).containsOnly(done.get(done.size() - 1));
      assertThat(report.bytes()).isPositive().isLessThanOrEqualTo(totals.get(0));
      fixture.oram.close();
      assertThatThrownBy(fixture::verify).isInstanceOf(ClosedChannelException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("smallConfigurations")
  void everyFlippedBitOfABucketThatIsInUseIsFound(OramConfig config) throws IOException {
    try (Fixture fixture = new Fixture(config)) {
      fixture.use(800);
      int found = 0;
      for (int i = 0; i < 40; i++) {
        int offset =
            SUPERBLOCK_BYTES
                + fixture.random.nextInt((int) fixture.store.capacityBytes() - SUPERBLOCK_BYTES);
        fixture.store.flip(offset);
        VerifyReport report = fixture.verify();
        if (!report.clean()) {
          found++;
          assertThat(report.findings().get(0).kind()).isEqualTo(Kind.BUCKET);
          assertThat(report.findings().get(0).message())
              .matches("bucket at tree \\d+, level \\d+, eviction \\d+: .*");
        }
        fixture.store.flip(offset);
      }
      // The others are places of older versions.
      assertThat(found).isGreaterThan(15);
      assertThat(fixture.verify().clean()).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("smallConfigurations")
  void anOlderStoreIsFoundAndSoIsAnErasedOne(OramConfig config) throws IOException {
    try (Fixture fixture = new Fixture(config)) {
      fixture.use(300);
      byte[] old = fixture.store.copy();
      fixture.use(300);
      byte[] now = fixture.store.copy();
      fixture.store.restore(old);
      VerifyReport rolledBack = fixture.verify();
      assertThat(rolledBack.findingCount()).isGreaterThan(0);
      assertThat(rolledBack.findings())
          .extracting(Finding::message)
          .anyMatch(message -> message.contains("rolled back, in its place is an older one"));
      fixture.store.restore(new byte[old.length]);
      VerifyReport erased = fixture.verify();
      assertThat(erased.findings())
          .extracting(Finding::message)
          .anyMatch(message -> message.contains("missing, the store returned zeros"));
      fixture.store.restore(now);
      assertThat(fixture.verify().clean()).isTrue();
    }
  }

  @Test
  void manyFindingsAreCountedAndTheFirstAreTold() throws IOException {
    OramConfig config = builder("roram").treetopBytes(0).build();
    try (Fixture fixture = new Fixture(config)) {
      fixture.use(1000);
      fixture.store.restore(new byte[(int) fixture.store.capacityBytes()]);
      VerifyReport report = fixture.verify();
      assertThat(report.findings()).hasSize(VerifyReport.MAX_FINDINGS);
      assertThat(report.findingCount()).isGreaterThan(VerifyReport.MAX_FINDINGS);
    }
  }

  @ParameterizedTest
  @MethodSource("smallConfigurations")
  void placesThatCannotBeReadAreFindingsAndTheRestIsChecked(OramConfig config) throws IOException {
    try (Fixture fixture = new Fixture(config)) {
      fixture.use(300);
      fixture.oram.close();
      HeapStore failing =
          new HeapStore(fixture.store.capacityBytes()) {
            private int reads;

            @Override
            public void read(ExtentBatch batch, UnitSink sink) throws IOException {
              if (++reads == 4) {
                throw new IOException("injected");
              }
              super.read(batch, sink);
            }
          };
      failing.restore(fixture.store.copy());
      VerifyReport report =
          Orams.open(failing, fixture.vault, fixture.key).verify((done, total) -> {});
      assertThat(report.findings().get(0).kind()).isEqualTo(Kind.UNREADABLE);
      assertThat(report.findings().get(0).message())
          .contains("level ", "the store failed to read", "injected");
    }
  }
}
