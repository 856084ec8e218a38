package io.github.roram.auditor;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.auditor.judge.Findings;
import io.github.roram.auditor.judge.Findings.Verdict;
import io.github.roram.auditor.workload.Pair;
import io.github.roram.auditor.workload.Pair.Pairs;
import io.github.roram.auditor.workload.RunSettings;
import io.github.roram.auditor.workload.SmallAudit;
import io.github.roram.auditor.workload.StorePlace;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scheme ring: nothing is told apart, and its slots are judged. */
final class RingAuditTest {

  private static final int RUNS = 6;
  private static final int ACCESSES = 80;

  @ParameterizedTest
  @ValueSource(strings = {"reads-writes", "hot-cold", "full-empty", "bulk", "crash", "power"})
  void nothingIsToldApart(String name) throws IOException {
    Pair pair = Pairs.named(name);
    try (StorePlace place = StorePlace.memory()) {
      RunSettings settings =
          RunSettings.of(RunSettings.smallConfig("ring", Map.of()), place, ACCESSES);
      Findings findings = SmallAudit.of(pair, settings, RUNS, RUNS / 3);
      assertThat(findings.toldApart()).isEmpty();
      assertThat(findings.list())
          .filteredOn(finding -> finding.check().startsWith("slots read once"))
          .allMatch(finding -> finding.verdict() == Verdict.ALIKE)
          .isNotEmpty();
    }
  }
}
