package io.github.roram.auditor.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.AsyncOram;
import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.auditor.judge.Findings;
import io.github.roram.auditor.judge.Findings.Finding;
import io.github.roram.auditor.judge.Findings.Verdict;
import io.github.roram.auditor.workload.Pair.Pairs;
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

/** Audits through a proxy: it tells nothing, and proxies that do are caught. */
final class ProxyAuditTest {

  private static final int RUNS = 3;
  private static final int ACCESSES = 50;

  private static RunSettings settings(
      String scheme, StorePlace place, UnaryOperator<AsyncOram> served) {
    Map<String, Object> given =
        scheme.equals("detwo") ? Map.of("adversary", "snapshots") : Map.of();
    OramConfig config = RunSettings.smallConfig(scheme, given);
    return RunSettings.of(config, place, ACCESSES).withFrontend(new ProxyFrontend(served));
  }

  private static Findings judge(String scheme, String name, UnaryOperator<AsyncOram> served)
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
    "roram,reads-writes",
    "roram,same-distinct",
    "roram,unaligned-aligned",
    "roram,first-later",
    "roram,crash",
    "path,hot-cold",
    "path-batched,sequential-random",
    "tao,channel",
  })
  void aProxyTellsNothing(String scheme, String pair) throws IOException {
    Findings findings = judge(scheme, pair, oram -> oram);
    assertThat(findings.toldApart()).isEmpty();
    assertThat(findings.list())
        .filteredOn(finding -> finding.verdict() == Verdict.ALIKE)
        .extracting(Finding::check)
        .contains("requests", "records and logs");
  }

  @Test
  void detwoHidesWritesBehindAProxy() throws IOException {
    assertThat(judge("detwo", "hot-cold", oram -> oram).toldApart()).isEmpty();
  }

  /** Hands everything on. */
  private static class Served implements AsyncOram {
    final AsyncOram oram;

    Served(AsyncOram oram) {
      this.oram = oram;
    }

    @Override
    public OramConfig config() {
      return oram.config();
    }

    @Override
    public CompletableFuture<Void> readBytes(long offset, int leastBlocks, ByteBuffer target) {
      return oram.readBytes(offset, leastBlocks, target);
    }

    @Override
    public CompletableFuture<Void> updateBytes(long offset, int leastBlocks, ByteBuffer source) {
      return oram.updateBytes(offset, leastBlocks, source);
    }

    @Override
    public CompletableFuture<Void> flush() {
      return oram.flush();
    }

    @Override
    public OramStats stats() {
      return oram.stats();
    }

    @Override
    public void close() throws IOException {
      oram.close();
    }
  }

  /** Answers reads of what was read or written last from memory. */
  private static final class RemembersTheLast extends Served {
    private long last = -1;
    private byte[] content = new byte[0];

    RemembersTheLast(AsyncOram oram) {
      super(oram);
    }

    @Override
    public CompletableFuture<Void> readBytes(long offset, int leastBlocks, ByteBuffer target) {
      if (offset == last && content.length == target.remaining()) {
        target.duplicate().put(content);
        return CompletableFuture.completedFuture(null);
      }
      return oram.readBytes(offset, leastBlocks, target).thenRun(() -> remember(offset, target));
    }

    @Override
    public CompletableFuture<Void> updateBytes(long offset, int leastBlocks, ByteBuffer source) {
      remember(offset, source);
      return oram.updateBytes(offset, leastBlocks, source);
    }

    private void remember(long offset, ByteBuffer bytes) {
      last = offset;
      content = new byte[bytes.remaining()];
      bytes.duplicate().get(content);
    }
  }

  /** Writes by reading first. */
  private static final class ReadsBeforeItWrites extends Served {
    ReadsBeforeItWrites(AsyncOram oram) {
      super(oram);
    }

    @Override
    public CompletableFuture<Void> updateBytes(long offset, int leastBlocks, ByteBuffer source) {
      return oram.readBytes(offset, leastBlocks, ByteBuffer.allocate(source.remaining()))
          .thenCompose(nothing -> oram.updateBytes(offset, leastBlocks, source));
    }
  }

  private static void isCaught(String pair, UnaryOperator<AsyncOram> leaky) throws IOException {
    assertThat(judge("roram", pair, leaky).toldApart())
        .anyMatch(f -> f.observer() == Observer.STORE && f.check().equals("requests"));
  }

  @Test
  void anAnswerFromMemoryIsCaught() throws IOException {
    isCaught("same-distinct", RemembersTheLast::new);
  }

  @Test
  void aReadBeforeAWriteIsCaught() throws IOException {
    isCaught("reads-writes", ReadsBeforeItWrites::new);
  }

  @Test
  void pairsThatDoNotGoThroughAProxySayWhere() throws IOException {
    try (StorePlace place = StorePlace.memory()) {
      RunSettings settings = settings("roram", place, oram -> oram);
      assertThat(Pairs.named("trims").objection(settings)).get().asString().contains("nbd");
      assertThat(Pairs.named("pages").objection(settings)).get().asString().contains("paging");
      assertThat(Pairs.named("reads-none").objection(settings)).get().asString().contains("calls");
    }
  }
}
