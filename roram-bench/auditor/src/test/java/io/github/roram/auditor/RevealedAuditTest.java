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
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The operation type revealed: reads and writes are told apart, and nothing else. */
@Tag("gate")
final class RevealedAuditTest {

  private static final int RUNS = 4;
  private static final int ACCESSES = 80;

  private static Findings judge(Pair pair) throws IOException {
    OramConfig config = RunSettings.smallConfig("roram", Map.of("revealOperationType", true));
    try (StorePlace place = StorePlace.memory()) {
      RunSettings settings = RunSettings.of(config, place, ACCESSES);
      return SmallAudit.of(pair, settings, RUNS, RUNS / 2);
    }
  }

  /** Both sides read and write in the same order. */
  static Stream<Pair> sameTypes() {
    return Pairs.all().stream()
        .filter(pair -> !pair.countsWrites())
        .filter(pair -> pair.scope() == Pair.Scope.ANY || pair.scope() == Pair.Scope.CALLS);
  }

  @ParameterizedTest
  @MethodSource("sameTypes")
  void nothingElseIsToldApart(Pair pair) throws IOException {
    assertThat(judge(pair).toldApart()).isEmpty();
  }

  /** Kept apart too where a client died: what it repeats is as it was shown. */
  @ParameterizedTest
  @ValueSource(strings = {"reads-writes", "channel", "full-empty", "crash"})
  void readsAndWritesAre(String pair) throws IOException {
    assertThat(judge(Pairs.named(pair)).toldApart())
        .anyMatch(
            finding -> finding.observer() == Observer.STORE && finding.check().equals("requests"));
  }
}
