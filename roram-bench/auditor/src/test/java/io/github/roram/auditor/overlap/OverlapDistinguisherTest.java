package io.github.roram.auditor.overlap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.auditor.Audit;
import io.github.roram.auditor.judge.Findings;
import io.github.roram.auditor.judge.Findings.Finding;
import io.github.roram.auditor.judge.Findings.Verdict;
import io.github.roram.auditor.judge.Judge;
import io.github.roram.auditor.judge.OverlapView;
import io.github.roram.auditor.judge.OverlapView.Asked;
import io.github.roram.auditor.judge.Seen;
import io.github.roram.auditor.overlap.OverlapPlan.OverlapPair;
import io.github.roram.auditor.overlap.OverlapPlan.OverlapPair.OverlapWorkload;
import io.github.roram.bench.ProgressListener;
import io.github.roram.cipher.LabelSource;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
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
    return switch (scheme) {
      case "roram" -> builder.maxRangeBlocks(4).sizeClasses(0, 2).chunkPaths(8).windowBlocks(24);
      default -> builder.maxRangeBlocks(1);
    };
  }

  /** A ring of four stored levels. */
  private static OramConfig.Builder ring() {
    return OramConfig.builder(512)
        .scheme("ring")
        .blockBytes(512)
        .maxRangeBlocks(4)
        .set("evictionBlocks", 31)
        .set("fanOut", 2)
        .set("height", 4)
        .set("treetopLevels", 1);
  }

  private static OverlapRuns runs(OramConfig.Builder builder) {
    return runs(builder, false);
  }

  private static OverlapRuns runs(OramConfig.Builder builder, boolean isProvoked) {
    OramConfig config = builder.build();
    Durability durability = config.scheme().equals("path") ? Durability.NONE : Durability.OS;
    OpenOptions options = OpenOptions.defaults().withDurability(durability);
    return new OverlapRuns(config, IN_FLIGHT, options, isProvoked);
  }

  static Stream<Arguments> cases() {
    Stream<Arguments> others =
        Stream.of("path-batched", "tao")
            .flatMap(
                scheme ->
                    Stream.of("reads-writes", "in-flight").map(pair -> Arguments.of(scheme, pair)));
    return Stream.concat(
        OverlapPair.names().stream().map(pair -> Arguments.of("roram", pair)), others);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void nothingIsToldApart(String scheme, String pair) throws IOException {
    Findings findings = judge(runs(builder(scheme)), pair);
    assertThat(findings.toldApart()).isEmpty();
    assertThat(findings.list())
        .filteredOn(finding -> finding.verdict() == Verdict.ALIKE)
        .extracting(Finding::check)
        .contains(
            "requests and when",
            "uniform labels",
            "labels shown once",
            "lengths of changes",
            "whole paths, counted evictions",
            "distinguisher of accesses");
  }

  /** Its vault is not touched. */
  @ParameterizedTest
  @ValueSource(strings = {"reads-writes", "in-flight", "hot-cold"})
  void pathOramTellsNothing(String pair) throws IOException {
    Findings findings = judge(runs(builder("path")), pair);
    assertThat(findings.toldApart()).isEmpty();
    assertThat(findings.list())
        .filteredOn(finding -> finding.verdict() == Verdict.ALIKE)
        .extracting(Finding::check)
        .contains(
            "requests and when",
            "uniform labels",
            "labels shown once",
            "whole paths, counted evictions",
            "distinguisher of accesses");
  }

  /** Labels are the same on both sides, so that all but slots must be. */
  @ParameterizedTest
  @ValueSource(
      strings = {"reads-writes", "same-distinct", "in-flight", "sequential-random", "hot-cold"})
  void theRingTellsNothing(String pair) throws IOException {
    Findings findings = judge(runs(ring()), pair);
    assertThat(findings.toldApart()).isEmpty();
    assertThat(findings.list())
        .filteredOn(finding -> finding.verdict() == Verdict.ALIKE)
        .extracting(Finding::check)
        .contains(
            "requests and when",
            "records and when",
            "calls and answers",
            "slots read once, and uniform",
            "lengths of changes",
            "what overlapped",
            "distinguisher of accesses");
  }

  /** With a treetop that leaves chunks apart, and much owed. */
  @ParameterizedTest
  @ValueSource(strings = {"reads-writes", "in-flight"})
  void chunksThatAreReadAheadTellNothing(String pair) throws IOException {
    OramConfig.Builder builder = builder("roram").chunkPaths(2).windowBlocks(0);
    Findings findings = judge(runs(builder.treetopBytes(20_000)), pair);
    assertThat(findings.toldApart()).isEmpty();
    assertThat(findings.list())
        .anyMatch(f -> f.check().equals("what overlapped") && f.evidence().contains("read ahead"));
  }

  /** Whether the blocks of the map that it needs are under way does not show either. */
  @ParameterizedTest
  @ValueSource(strings = {"reads-writes", "in-flight"})
  void aMapOnTheStoreTellsNothing(String pair) throws IOException {
    OramConfig.Builder builder =
        builder("roram")
            .positionMap("recursive")
            .set("blocksPerMapBlock", 8)
            .set("clientLabels", 16);
    assertThat(judge(runs(builder), pair).toldApart()).isEmpty();
  }

  /** A store that fails reads and writes, and tampers, learns nothing from what comes then. */
  @ParameterizedTest
  @ValueSource(strings = {"roram", "path-batched", "path", "tao"})
  void anActiveStoreTellsNothingApart(String scheme) throws IOException {
    Findings findings = judge(runs(builder(scheme), true), "in-flight");
    assertThat(findings.toldApart()).isEmpty();
    assertThat(findings.list())
        .anyMatch(
            f -> f.check().equals("failed requests repeated") && f.verdict() == Verdict.ALIKE);
  }

  private static Findings judge(OverlapRuns runs, String pair) throws IOException {
    return Audit.run(runs, List.of(pair), ACCESSES, ProgressListener.NONE).findings();
  }

  /** Nor by failing reads, and by spoiling one. */
  @ParameterizedTest
  @ValueSource(
      strings = {"reads-writes", "same-distinct", "in-flight", "sequential-random", "hot-cold"})
  void anActiveStoreTellsNothingOfTheRing(String pair) throws IOException {
    Findings findings = judge(runs(ring(), true), pair);
    assertThat(findings.toldApart()).isEmpty();
    assertThat(findings.list())
        .anyMatch(
            f -> f.check().equals("failed requests repeated") && f.verdict() == Verdict.ALIKE);
  }

  /** A client that reads slots again in one of three accesses. */
  @Test
  void slotsThatAreReadAgainAreFound() throws IOException {
    assertThat(judgeLeaky(runs(ring()), OverlapDistinguisherTest::repeated))
        .contains("requests and when", "slots read once, and uniform");
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
  @ValueSource(strings = {"roram", "path-batched", "path", "tao"})
  void aLabelThatIsShownAgainIsFound(String scheme) throws IOException {
    assertThat(judgeLeaky(runs(builder(scheme)), OverlapDistinguisherTest::repeated))
        .contains("distinguisher of accesses", "labels shown once");
  }

  /** Labels that are even, or of the left half, every other time; or walk on. */
  static Stream<Arguments> leakyLabels() {
    LabelSource even = leaves -> random(leaves) & (random(2) == 0 ? ~1 : ~0);
    LabelSource left = leaves -> random(random(2) == 0 ? leaves / 2 : leaves);
    int[] last = new int[1];
    LabelSource walking =
        leaves -> {
          last[0] = (last[0] + 1 + random(leaves / 4)) % leaves;
          return last[0];
        };
    return Stream.of("roram", "path-batched", "path", "tao")
        .flatMap(
            scheme ->
                Stream.of(
                    Arguments.of(scheme, even, "uniform labels"),
                    Arguments.of(scheme, left, "uniform labels"),
                    Arguments.of(scheme, walking, "independent labels")));
  }

  private static int random(int bound) {
    return ThreadLocalRandom.current().nextInt(bound);
  }

  @ParameterizedTest
  @MethodSource("leakyLabels")
  void labelsThatAreNotRandomAreFound(String scheme, LabelSource labels, String check)
      throws IOException {
    OverlapRuns runs = runs(builder(scheme));
    Judge judge = new Judge("leaky", 1);
    for (int run = 0; run < 4; run++) {
      Seen seen = runs.run(OverlapWorkload.ONE_BLOCK, 1500, run, labels).seen();
      judge.add(seen, seen);
    }
    assertThat(judge.findings().toldApart()).extracting(Finding::check).contains(check);
  }

  private interface Leak {
    void add(Asked next, List<Asked> shown, OverlapView changed);
  }

  private static List<String> judgeLeaky(OverlapRuns runs, Leak leak) throws IOException {
    Judge judge = new Judge("leaky", 1);
    for (int run = 0; run < 4; run++) {
      judge.add(
          changed(runs, run, (next, shown, view) -> view.asked(next)), changed(runs, run, leak));
    }
    return judge.findings().toldApart().stream().map(Finding::check).toList();
  }

  private static Seen changed(OverlapRuns runs, int run, Leak leak) throws IOException {
    OverlapView changed = new OverlapView(runs.config());
    List<Asked> shown = new ArrayList<>();
    OverlapView honest = runs.run(OverlapWorkload.MIXED, 400, run);
    changed.setBefore(true);
    honest.before().forEach(changed::asked);
    changed.setBefore(false);
    for (Asked next : honest.asked()) {
      if (next.phase() == IoPhase.READ) {
        leak.add(next, shown, changed);
      } else {
        changed.asked(next);
      }
    }
    return changed.seen();
  }

  private static void repeated(Asked next, List<Asked> shown, OverlapView changed) {
    boolean again = shown.size() % 3 == 2;
    shown.add(again ? shown.get(shown.size() - 1) : next);
    changed.asked(shown.get(shown.size() - 1));
  }

  /** One request more, and one byte more in the vault. */
  @Test
  void whatIsMoreIsFound() {
    Judge judge = new Judge("leaky", 1);
    judge.add(view(80, false), view(81, false));
    assertThat(judge.findings().toldApart()).allMatch(f -> f.observer() == Observer.VAULT);
    judge.add(view(80, false), view(80, true));
    assertThat(judge.findings().toldApart()).anyMatch(f -> f.observer() == Observer.STORE);
  }

  private static Seen view(long appended, boolean syncs) {
    OverlapView view = new OverlapView(builder("roram").build());
    view.sight(new Sight(1, Observer.DECLARED, Action.ACCESS, 0, "", 0, 1));
    view.sight(new Sight(1, Observer.VAULT, Action.APPEND, 0, "journal", 0, appended));
    if (syncs) {
      view.syncAsked();
    }
    return view.seen();
  }

  /** A request that failed and is not repeated is found, and one that is shows nothing more. */
  @Test
  @SuppressWarnings("ReferenceEquality") // one of them, not one like it
  void aFailedReadThatIsDroppedIsFound() throws IOException {
    OverlapRuns runs = runs(builder("roram"));
    for (boolean repeated : new boolean[] {true, false}) {
      OverlapView view = new OverlapView(runs.config());
      List<Asked> asked = runs.run(OverlapWorkload.MIXED, 100, 1).asked();
      // Of two reads of the same places the later one would pass for the earlier one repeated.
      Asked failed =
          asked.stream()
              .filter(a -> a.phase() == IoPhase.READ)
              .filter(a -> asked.stream().filter(b -> b.extents().equals(a.extents())).count() == 1)
              .toList()
              .get(9);
      for (Asked next : asked) {
        view.answered(0, view.asked(next), next == failed);
        if (repeated && next == failed) {
          view.asked(next);
        }
      }
      Judge judge = new Judge("one", 1);
      judge.add(view.seen(), view.seen());
      assertThat(judge.findings().toldApart())
          .extracting(Finding::check)
          .isEqualTo(repeated ? List.of() : List.of("failed requests repeated"));
    }
  }

  @Test
  void schemesWhoseAccessesDoNotOverlapAreRefused() {
    OverlapRuns runs =
        new OverlapRuns(
            OramConfig.builder(1 << 10).scheme("detwo").blockBytes(512).build(),
            IN_FLIGHT,
            OpenOptions.defaults().withDurability(Durability.OS),
            false);
    assertThatThrownBy(() -> judge(runs, "reads-writes"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("do not overlap");
    assertThatThrownBy(() -> new OverlapRuns(runs.config(), 1, OpenOptions.defaults(), false))
        .hasMessageContaining("accesses in flight are 1");
    assertThatThrownBy(
            () -> new OverlapRuns(builder("tao").build(), IN_FLIGHT, OpenOptions.defaults(), false))
        .hasMessageContaining("durability is SYNC");
  }
}
