package io.github.roram.auditor;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.auditor.judge.Findings;
import io.github.roram.auditor.judge.Findings.Verdict;
import io.github.roram.auditor.workload.Pair;
import io.github.roram.auditor.workload.Pair.Pairs;
import io.github.roram.auditor.workload.RunSettings;
import io.github.roram.auditor.workload.SmallAudit;
import io.github.roram.auditor.workload.StorePlace;
import io.github.roram.storage.view.Observer;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores that are backed up again and again: who has the backups learns counters. */
@Tag("gate")
final class BackupAuditTest {

  private static final int RUNS = 4;
  private static final int ACCESSES = 96;

  @ParameterizedTest
  @ValueSource(strings = {"roram", "path-batched", "ring"})
  void nothingIsToldApart(String scheme) throws IOException {
    Pair pair = Pairs.named("backups");
    try (StorePlace place = StorePlace.memory()) {
      RunSettings settings =
          RunSettings.of(RunSettings.smallConfig(scheme, Map.of()), place, ACCESSES);
      Findings findings = SmallAudit.of(pair, settings, RUNS, RUNS / 2);
      assertThat(findings.toldApart()).isEmpty();
      assertThat(findings.list())
          .filteredOn(finding -> finding.verdict() == Verdict.ALIKE)
          .extracting(Findings.Finding::observer)
          .contains(Observer.BACKUP, Observer.STORE);
    }
  }
}
