package io.github.roram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.VerifyReport.Finding;
import io.github.roram.VerifyReport.Kind;
import io.github.roram.open.Orams;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSink;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link Oram#verify}: sound stores pass whatever was done to them, damaged ones are found out. */
class VerifyTest {

  private static final int BLOCK_BYTES = SmallConfigurations.BLOCK_BYTES;

  /** Of so many flipped bits more than so few must be found; most are by the first of them. */
  private static final int MOST_FLIPS = 30;

  private static final int FOUND = 9;
  private static final int FLIPS = 12;

  static Stream<OramConfig> configurations() {
    return SmallConfigurations.ofEachPreset();
  }

  static Stream<OramConfig> smallConfigurations() {
    return SmallConfigurations.ofEachScheme();
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void soundStoresPass(OramConfig config) throws IOException {
    try (KnownOram known = new KnownOram(config)) {
      assertThat(known.verify()).isEqualTo(new VerifyReport(0, 0, 0, 0, List.of()));
      for (int round = 0; round < 3; round++) {
        known.use(round * 30);
        assertThat(known.verify().findings()).isEmpty();
        known.reopen(round != 1);
        VerifyReport report = known.verify();
        assertThat(report.findings()).isEmpty();
        assertThat(report.clean()).isTrue();
      }
    }
  }

  static Stream<OramConfig> presets() {
    return Stream.of("path", "path-batched", "roram", "tao")
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
    try (KnownOram known = new KnownOram(config)) {
      known.use(250);
      VerifyReport report = known.verify();
      assertThat(report.findings()).isEmpty();
      assertThat(report.blocks()).isEqualTo(config.blocks());
    }
  }

  @ParameterizedTest
  @MethodSource("smallConfigurations")
  void nothingIsWrittenAndProgressEndsAtItsTotal(OramConfig config) throws IOException {
    try (KnownOram known = new KnownOram(config)) {
      known.use(100);
      known.reopen(false);
      byte[] before = known.store.copy();
      List<Long> done = new ArrayList<>();
      List<Long> totals = new ArrayList<>();
      VerifyReport report =
          known.oram.verify(
              (doneBytes, totalBytes) -> {
                done.add(doneBytes);
                totals.add(totalBytes);
              });
      assertThat(known.store.copy()).isEqualTo(before);
      assertThat(known.vault.logs()).isEmpty();
      assertThat(done).isSorted().doesNotHaveDuplicates();
      assertThat(totals).containsOnly(done.get(done.size() - 1));
      assertThat(report.bytes()).isPositive().isLessThanOrEqualTo(totals.get(0));
      known.oram.close();
      assertThatThrownBy(known::verify).isInstanceOf(ClosedChannelException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("smallConfigurations")
  void everyFlippedBitOfABucketThatIsInUseIsFound(OramConfig config) throws IOException {
    try (KnownOram known = new KnownOram(config)) {
      known.use(350);
      int found = 0;
      for (int i = 0; i < MOST_FLIPS && (i < FLIPS || found <= FOUND); i++) {
        int offset = known.anyPlace();
        known.store.flip(offset);
        VerifyReport report = known.verify();
        if (!report.clean()) {
          found++;
          assertThat(report.findings().get(0).kind()).isEqualTo(Kind.BUCKET);
          assertThat(report.findings().get(0).message())
              .matches("bucket at tree \\d+, level \\d+, eviction \\d+: .*");
        }
        known.store.flip(offset);
      }
      // The others are places of older versions.
      assertThat(found).isGreaterThan(FOUND);
      assertThat(known.verify().clean()).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("smallConfigurations")
  void anOlderStoreIsFoundAndSoIsAnErasedOne(OramConfig config) throws IOException {
    try (KnownOram known = new KnownOram(config)) {
      known.use(120);
      byte[] old = known.store.copy();
      known.use(120);
      byte[] now = known.store.copy();
      known.store.restore(old);
      VerifyReport rolledBack = known.verify();
      assertThat(rolledBack.findingCount()).isGreaterThan(0);
      assertThat(rolledBack.findings())
          .extracting(Finding::message)
          .anyMatch(message -> message.contains("rolled back, in its place is an older one"));
      known.store.restore(new byte[old.length]);
      VerifyReport erased = known.verify();
      assertThat(erased.findings())
          .extracting(Finding::message)
          .anyMatch(message -> message.contains("missing, the store returned zeros"));
      known.store.restore(now);
      assertThat(known.verify().clean()).isTrue();
    }
  }

  @Test
  void manyFindingsAreCountedAndTheFirstAreTold() throws IOException {
    OramConfig config = SmallConfigurations.builder("roram").treetopBytes(0).build();
    try (KnownOram known = new KnownOram(config)) {
      known.use(400);
      known.store.restore(new byte[(int) known.store.capacityBytes()]);
      VerifyReport report = known.verify();
      assertThat(report.findings()).hasSize(VerifyReport.MAX_FINDINGS);
      assertThat(report.findingCount()).isGreaterThan(VerifyReport.MAX_FINDINGS);
    }
  }

  @ParameterizedTest
  @MethodSource("smallConfigurations")
  void placesThatCannotBeReadAreFindingsAndTheRestIsChecked(OramConfig config) throws IOException {
    try (KnownOram known = new KnownOram(config)) {
      known.use(100);
      known.oram.close();
      HeapStore failing =
          new HeapStore(known.store.capacityBytes()) {
            private int reads;

            @Override
            public void read(ExtentBatch batch, UnitSink sink) throws IOException {
              if (++reads == 4) {
                throw new IOException("injected");
              }
              super.read(batch, sink);
            }
          };
      failing.restore(known.store.copy());
      VerifyReport report = Orams.open(failing, known.vault, known.key).verify((done, total) -> {});
      assertThat(report.findings().get(0).kind()).isEqualTo(Kind.UNREADABLE);
      assertThat(report.findings().get(0).message())
          .contains("level ", "the store failed to read", "injected");
    }
  }
}
