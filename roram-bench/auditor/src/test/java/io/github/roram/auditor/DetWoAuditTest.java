package io.github.roram.auditor;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OramConfig;
import io.github.roram.auditor.judge.Findings;
import io.github.roram.auditor.workload.Pair;
import io.github.roram.auditor.workload.Pair.Pairs;
import io.github.roram.auditor.workload.RunSettings;
import io.github.roram.auditor.workload.SmallAudit;
import io.github.roram.auditor.workload.StorePlace;
import io.github.roram.storage.view.Observer;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Scheme detwo before both adversaries: writes are hidden, and reads are not. */
final class DetWoAuditTest {

  private static final int RUNS = 4;
  private static final int ACCESSES = 80;
  private static final Set<Pair.Scope> OF_BLOCKS =
      EnumSet.of(Pair.Scope.ANY, Pair.Scope.CALLS, Pair.Scope.SNAPSHOTS);

  private static RunSettings settings(StorePlace place, String adversary) {
    OramConfig config =
        RunSettings.smallConfig("detwo", Map.of("form", "eager", "adversary", adversary));
    return RunSettings.of(config, place, ACCESSES);
  }

  private static Findings judge(Pair pair, String adversary) throws IOException {
    try (StorePlace place = StorePlace.memory()) {
      RunSettings settings = settings(place, adversary);
      return SmallAudit.of(pair, settings, RUNS, RUNS / 2);
    }
  }

  static Stream<Pair> equallyManyWrites() {
    return Pairs.all().stream()
        .filter(pair -> !pair.countsWrites() && OF_BLOCKS.contains(pair.scope()));
  }

  @ParameterizedTest
  @MethodSource("equallyManyWrites")
  void anAdversaryOfSnapshotsTellsNothingApart(Pair pair) throws IOException {
    Findings findings = judge(pair, "snapshots");
    assertThat(findings.toldApart()).isEmpty();
    assertThat(findings.list())
        .filteredOn(finding -> finding.observer() == Observer.STORE)
        .anyMatch(finding -> finding.check().equals("requests"));
  }

  @ParameterizedTest
  @MethodSource("equallyManyWrites")
  void pairsThatCanBeRunAreRun(Pair pair) throws IOException {
    try (StorePlace place = StorePlace.memory()) {
      assertThat(pair.objection(settings(place, "snapshots"))).isEmpty();
      assertThat(Pairs.named("reads-writes").objection(settings(place, "snapshots"))).isPresent();
      assertThat(Pairs.named("reads-writes").objection(settings(place, "full"))).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"reads-writes", "same-distinct", "sequential-random", "hot-cold"})
  void whoSeesReadsTellsThemApart(String pair) throws IOException {
    assertThat(judge(Pairs.named(pair), "full").toldApart())
        .anyMatch(finding -> finding.observer() == Observer.STORE);
  }
}
