package io.github.roram.auditor.overlap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.auditor.judge.Asked;
import io.github.roram.auditor.judge.Finding;
import io.github.roram.auditor.judge.Findings;
import io.github.roram.auditor.judge.OverlapJudge;
import io.github.roram.auditor.judge.OverlapView;
import io.github.roram.auditor.judge.Verdict;
import io.github.roram.bench.ProgressListener;
import io.github.roram.storage.view.Observer;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nobody who sees the store or the vault's disk tells accesses apart that overlap. {@code
 * -Droram.overlap.accesses=100000} is the long mode, whose interval is below a hundredth.
 */
@Tag("gate")
final class OverlapDistinguisherTest {

  private static final int ACCESSES = Integer.getInteger("roram.overlap.accesses", 800);
  private static final int IN_FLIGHT = 8;

  private static OramConfig.Builder builder(String scheme) {
    OramConfig.Builder builder =
        OramConfig.builder(1 << 10).scheme(scheme).blockBytes(512).treetopBytes(0);
    return "roram".equals(scheme)
        ? builder.maxRangeBlocks(4).sizeClasses(0, 2).chunkPaths(8).windowBlocks(24)
        : builder.maxRangeBlocks(1);
  }

  private static OverlapRuns runs(OramConfig.Builder builder) {
    return new OverlapRuns(
        builder.build(), IN_FLIGHT, OpenOptions.defaults().withDurability(Durability.OS));
  }

  static Stream<Arguments> cases() {
    Stream<Arguments> others =
        Stream.of("path-batched", "tao")
            .flatMap(
                scheme ->
                    Stream.of("reads-writes", "in-flight").map(pair -> Arguments.of(scheme, pair)));
    return Stream.concat(
        OverlapPairs.names().stream().map(pair -> Arguments.of("roram", pair)), others);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void nothingIsToldApart(String scheme, String pair) throws IOException {
    Findings findings = judge(runs(builder(scheme)), pair);
    assertThat(findings.toldApart()).isEmpty();
    assertThat(findings.list())
        .filteredOn(finding -> finding.observer() == Observer.STORE)
        .hasSize(2)
        .allMatch(finding -> finding.verdict() == Verdict.ALIKE);
  }

  /** With a treetop that leaves chunks apart, and much owed. */
  @ParameterizedTest
  @ValueSource(strings = {"reads-writes", "in-flight"})
  void chunksThatAreReadAheadTellNothing(String pair) throws IOException {
    OramConfig.Builder builder = builder("roram").chunkPaths(2).windowBlocks(0);
    Findings findings = judge(runs(builder.treetopBytes(20_000)), pair);
    assertThat(findings.toldApart()).isEmpty();
  }

  private static Findings judge(OverlapRuns runs, String pair) throws IOException {
    return JudgedRuns.of(runs, pair, ACCESSES, ProgressListener.NONE);
  }

  /** That it can tell: the operation type revealed is seen, and nothing else. */
  @Test
  void theOperationTypeRevealedIsToldApart() throws IOException {
    OverlapRuns runs = runs(builder("roram").revealOperationType(true));
    assertThat(judge(runs, "reads-writes").toldApart())
        .anyMatch(finding -> finding.check().equals("requests and when"));
    assertThat(judge(runs, "in-flight").toldApart()).isEmpty();
  }

  /** A client that shows a label again in one of three accesses. */
  @ParameterizedTest
  @ValueSource(strings = {"roram", "path-batched", "tao"})
  void aLabelThatIsShownAgainIsFound(String scheme) throws IOException {
    OverlapRuns runs = runs(builder(scheme));
    OverlapJudge judge = new OverlapJudge("leaky", 1);
    for (int run = 0; run < 4; run++) {
      OverlapView honest = runs.run(OverlapWorkload.MIXED, 400, run);
      judge.add(honest, repeating(runs.run(OverlapWorkload.MIXED, 400, run)));
    }
    assertThat(judge.findings().toldApart())
        .extracting(Finding::check)
        .contains("distinguisher of accesses");
  }

  private static OverlapView repeating(OverlapView view) {
    OverlapView changed = new OverlapView(false);
    List<Asked> shown = new ArrayList<>();
    for (Asked next : view.asked()) {
      if (next.phase() != IoPhase.READ) {
        changed.asked(next);
        continue;
      }
      boolean again = shown.size() % 3 == 2;
      shown.add(again ? shown.get(shown.size() - 1) : next);
      changed.asked(shown.get(shown.size() - 1));
    }
    return changed;
  }

  /** One request more, and one byte more in the vault. */
  @Test
  void whatIsMoreIsFound() {
    OverlapJudge judge = new OverlapJudge("leaky", 1);
    OverlapView one = new OverlapView(false);
    one.called(1);
    one.vault("APPEND of 80");
    OverlapView other = new OverlapView(false);
    other.called(1);
    other.vault("APPEND of 81");
    judge.add(one, other);
    assertThat(judge.findings().toldApart()).allMatch(f -> f.observer() == Observer.VAULT);
    OverlapView third = new OverlapView(false);
    third.called(1);
    third.syncAsked();
    judge.add(one, third);
    assertThat(judge.findings().toldApart()).anyMatch(f -> f.observer() == Observer.STORE);
  }

  @Test
  void schemesWhoseAccessesDoNotOverlapAreRefused() {
    OverlapRuns runs = new OverlapRuns(builder("path").build(), IN_FLIGHT, OpenOptions.defaults());
    assertThatThrownBy(() -> judge(runs, "reads-writes"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("do not overlap");
    assertThatThrownBy(() -> new OverlapRuns(runs.config(), 1, OpenOptions.defaults()))
        .hasMessageContaining("accesses in flight are 1");
    assertThatThrownBy(
            () -> new OverlapRuns(builder("tao").build(), IN_FLIGHT, OpenOptions.defaults()))
        .hasMessageContaining("durability is SYNC");
  }
}
