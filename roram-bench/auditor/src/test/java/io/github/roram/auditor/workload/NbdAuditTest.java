package io.github.roram.auditor.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OramConfig;
import io.github.roram.auditor.judge.Findings;
import io.github.roram.auditor.judge.Findings.Finding;
import io.github.roram.auditor.judge.Findings.Verdict;
import io.github.roram.auditor.workload.Pair.Pairs;
import io.github.roram.nbd.BlockDevice;
import io.github.roram.storage.view.Observer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Audits over NBD: the device tells nothing, and devices that do are caught. */
final class NbdAuditTest {

  private static final int RUNS = 3;
  private static final int ACCESSES = 50;

  private static RunSettings settings(
      String scheme, StorePlace place, UnaryOperator<BlockDevice> served) {
    OramConfig config = RunSettings.smallConfig(scheme, Map.of());
    return RunSettings.of(config, place, ACCESSES).withFrontend(new NbdFrontend(served));
  }

  private static Findings judge(String scheme, String name, UnaryOperator<BlockDevice> served)
      throws IOException {
    Pair pair = Pairs.named(name);
    try (StorePlace place = StorePlace.memory()) {
      RunSettings settings = settings(scheme, place, served);
      return SmallAudit.of(pair, settings, RUNS, 1);
    }
  }

  @Tag("gate")
  @ParameterizedTest
  @CsvSource({
    "roram,same-distinct",
    "roram,crash",
    "roram,sectors",
    "roram,places",
    "roram,trims",
    "path,trims",
    "path-batched,channel"
  })
  void aDeviceTellsNothing(String scheme, String pair) throws IOException {
    Findings findings = judge(scheme, pair, device -> device);
    assertThat(findings.toldApart()).isEmpty();
    assertThat(findings.list())
        .filteredOn(finding -> finding.verdict() == Verdict.ALIKE)
        .extracting(Finding::check)
        .contains("requests", "records and logs");
  }

  /** Trims by writing zeros. */
  private static final class WritesTrims extends FilterDevice {
    WritesTrims(BlockDevice device) {
      super(device);
    }

    @Override
    public CompletableFuture<Void> trim(long offset, long length, boolean durable) {
      return device.write(offset, ByteBuffer.allocate((int) length), durable);
    }
  }

  /** Writes parts of blocks by reading the block first. */
  private static final class ReadsBeforeParts extends FilterDevice {
    ReadsBeforeParts(BlockDevice device) {
      super(device);
    }

    @Override
    public CompletableFuture<Void> write(long offset, ByteBuffer source, boolean durable) {
      int blockBytes = device.blockBytes();
      if (source.remaining() % blockBytes == 0) {
        return device.write(offset, source, durable);
      }
      return device
          .read(offset / blockBytes * blockBytes, ByteBuffer.allocate(blockBytes))
          .thenCompose(nothing -> device.write(offset, source, durable));
    }
  }

  /** Answers reads of what was read last from memory. */
  private static final class RemembersTheLast extends FilterDevice {
    private long last = -1;
    private byte[] content = new byte[0];

    RemembersTheLast(BlockDevice device) {
      super(device);
    }

    @Override
    public synchronized CompletableFuture<Void> read(long offset, ByteBuffer target) {
      if (offset == last && content.length == target.remaining()) {
        target.put(content);
        return CompletableFuture.completedFuture(null);
      }
      int start = target.position();
      int length = target.remaining();
      return device.read(offset, target).thenRun(() -> remember(offset, target, start, length));
    }

    private synchronized void remember(long offset, ByteBuffer target, int start, int length) {
      last = offset;
      content = new byte[length];
      target.get(start, content);
    }
  }

  private static void isCaught(String pair, UnaryOperator<BlockDevice> leaky) throws IOException {
    assertThat(judge("roram", pair, leaky).toldApart())
        .anyMatch(f -> f.observer() == Observer.STORE && f.check().equals("requests"));
  }

  @Test
  void aTrimThatMakesAnAccessIsCaught() throws IOException {
    isCaught("trims", WritesTrims::new);
  }

  @Test
  void aReadBeforeAPartOfABlockIsCaught() throws IOException {
    isCaught("sectors", ReadsBeforeParts::new);
  }

  @Test
  void aReadThatIsLeftOutIsCaught() throws IOException {
    isCaught("same-distinct", RemembersTheLast::new);
  }

  @Test
  void pairsSayWhereTheyAreFor() throws IOException {
    try (StorePlace place = StorePlace.memory()) {
      RunSettings device = settings("roram", place, served -> served);
      RunSettings calls = RunSettings.of(device.config(), place, ACCESSES);
      assertThat(Pairs.named("trims").objection(calls)).get().asString().contains("--through nbd");
      assertThat(Pairs.named("unaligned-aligned").objection(device)).isPresent();
      RunSettings detwo = settings("detwo", place, served -> served);
      assertThat(Pairs.named("trims").objection(detwo)).get().asString().contains("needs trims");
    }
  }

  /**
   * Also the scheme without trims is served and audited: who sees its writes alone sees nothing.
   */
  @Test
  void detwoHidesWritesOverNbd() throws IOException {
    Pair pair = Pairs.named("hot-cold");
    try (StorePlace place = StorePlace.memory()) {
      OramConfig config = RunSettings.smallConfig("detwo", Map.of("adversary", "snapshots"));
      RunSettings settings =
          RunSettings.of(config, place, ACCESSES).withFrontend(new NbdFrontend());
      assertThat(SmallAudit.of(pair, settings, RUNS, 1).toldApart()).isEmpty();
    }
  }
}
