package io.github.roram;

import static io.github.roram.SmallConfigurations.BLOCK_BYTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link Oram#scan}: what accesses would read, and nothing that is not as it was written. */
class ScanTest {

  /** Of so many flipped bits more than so few must be found; most are by the first of them. */
  private static final int MOST_FLIPS = 50;

  private static final int FOUND = 4;
  private static final int FLIPS = 12;

  static Stream<OramConfig> configurations() {
    return ScanRequestsTest.configurations();
  }

  static Stream<OramConfig> smallConfigurations() {
    return SmallConfigurations.ofEachScheme();
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void hasWhatAccessesRead(OramConfig config) throws IOException {
    try (KnownOram known = new KnownOram(config)) {
      known.checkScan();
      for (int round = 0; round < 3; round++) {
        known.use(round * 25);
        known.checkScan();
        known.reopen(round % 2 == 0);
        known.checkScan();
      }
      known.use(30);
      known.checkScan();
    }
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void hasWhatWasLoadedAndWrittenSince(OramConfig config) throws IOException {
    try (KnownOram known = new KnownOram(config)) {
      int loaded = 1000 * BLOCK_BYTES;
      for (int at = 0; at < loaded; at++) {
        known.model[at] = (byte) (at / BLOCK_BYTES + 7 * at + 1);
      }
      known.load(loaded);
      known.checkScan();
      known.use(40);
      known.checkScan();
    }
  }

  @ParameterizedTest
  @MethodSource("smallConfigurations")
  void changesNothing(OramConfig config) throws IOException {
    try (KnownOram known = new KnownOram(config)) {
      known.use(100);
      known.reopen(true);
      byte[] before = known.store.copy();
      long logs = known.vault.logs().size();
      List<Long> done = new ArrayList<>();
      List<Long> totals = new ArrayList<>();
      known.oram.scan(
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
      assertThat(known.store.copy()).isEqualTo(before);
      assertThat(known.vault.logs()).hasSize((int) logs);
      known.checkScan();
      known.oram.close();
      assertThatThrownBy(known::checkScan).isInstanceOf(ClosedChannelException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("smallConfigurations")
  void noForgedBlockIsEverHandedOver(OramConfig config) throws IOException {
    try (KnownOram known = new KnownOram(config)) {
      known.use(400);
      int found = 0;
      for (int i = 0; i < MOST_FLIPS && (i < FLIPS || found <= FOUND); i++) {
        int offset = known.anyPlace();
        known.store.flip(offset);
        try {
          known.oram.scan(
              (block, data) ->
                  assertThat(data)
                      .isEqualTo(
                          ByteBuffer.wrap(known.model, (int) block * BLOCK_BYTES, BLOCK_BYTES)));
        } catch (IntegrityException e) {
          assertThat(e).hasMessageMatching("bucket at tree \\d+, level \\d+, eviction \\d+: .*");
          found++;
        }
        known.store.flip(offset);
      }
      // The others are places of older versions, or of trees that are not scanned.
      assertThat(found).isGreaterThan(FOUND);
      known.checkScan();
    }
  }

  @ParameterizedTest
  @MethodSource("smallConfigurations")
  void anOlderStoreIsRefused(OramConfig config) throws IOException {
    try (KnownOram known = new KnownOram(config)) {
      known.use(120);
      byte[] old = known.store.copy();
      known.use(120);
      byte[] now = known.store.copy();
      known.store.restore(old);
      assertThatThrownBy(known::checkScan)
          .isInstanceOf(IntegrityException.class)
          .hasMessageContaining("rolled back, in its place is an older one");
      known.store.restore(now);
      known.checkScan();
    }
  }

  @ParameterizedTest
  @MethodSource("smallConfigurations")
  void afterAFailedAccessItIsWhatTheNextOneWouldRead(OramConfig config) throws IOException {
    try (KnownOram known = new KnownOram(config)) {
      known.use(100);
      int failed = 0;
      for (int i = 0; i < 20; i++) {
        known.store.readsFail = i % 2 == 0;
        known.store.writesFail = !known.store.readsFail;
        boolean unfinished = known.useUntilOneFails(20);
        known.store.readsFail = false;
        known.store.writesFail = false;
        failed += unfinished ? 1 : 0;
        if (unfinished && "path".equals(config.scheme())) {
          assertThatThrownBy(known::checkScan)
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("make one that succeeds, then scan");
        } else {
          known.checkScan();
        }
        known.use(1);
        known.checkScan();
      }
      assertThat(failed).isGreaterThan(10);
    }
  }

  @ParameterizedTest
  @MethodSource("smallConfigurations")
  void whatTheSinkThrowsEndsTheScan(OramConfig config) throws IOException {
    try (KnownOram known = new KnownOram(config)) {
      known.use(200);
      for (int after : new int[] {1, 40, 400}) {
        for (Exception thrown :
            List.of(new IOException("disk full"), new IllegalStateException())) {
          int[] left = {after};
          assertThatThrownBy(
                  () ->
                      known.oram.scan(
                          (block, data) -> {
                            if (--left[0] == 0) {
                              if (thrown instanceof IOException checked) {
                                throw checked;
                              }
                              throw (IllegalStateException) thrown;
                            }
                          }))
              .isSameAs(thrown);
          known.checkScan();
        }
      }
      known.use(20);
      known.checkScan();
    }
  }

  @Test
  void aSinkCannotAccessTheOram() throws IOException {
    try (KnownOram known = new KnownOram(SmallConfigurations.builder("roram").build())) {
      known.use(100);
      List<org.assertj.core.api.ThrowableAssert.ThrowingCallable> calls =
          List.of(
              () -> known.oram.read(0, 1),
              () -> known.oram.write(0, ByteBuffer.allocate(BLOCK_BYTES)),
              () -> known.oram.flush(),
              () -> known.oram.scan((block, data) -> {}),
              () -> known.oram.verify((done, total) -> {}),
              () -> known.oram.close());
      known.oram.scan(
          (block, data) -> {
            for (var call : calls) {
              assertThatThrownBy(call)
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessageContaining("from within a scan");
            }
            assertThat(known.oram.stats().accesses()).isPositive();
          });
      known.checkScan();
    }
  }
}
