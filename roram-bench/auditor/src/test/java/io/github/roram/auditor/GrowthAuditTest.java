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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores that grow three times while they are watched: all is explained, nothing told apart. */
@Tag("gate")
final class GrowthAuditTest {

  private static final int RUNS = 4;
  private static final int ACCESSES = 96;

  @ParameterizedTest
  @CsvSource({"roram, 0, 0", "roram, 20480, 9", "path-batched, 0, 0"})
  void nothingIsToldApart(String scheme, int treetopBytes, int part) throws IOException {
    audit(scheme, Map.of("treetopBytes", treetopBytes, "treetopPart", part));
  }

  @ParameterizedTest
  @ValueSource(strings = {"roram", "path-batched"})
  void nothingIsToldApartWithTheMapOnTheStore(String scheme) throws IOException {
    audit(scheme, Map.of("positionMap", "recursive", "blocksPerMapBlock", 4, "clientLabels", 32));
  }

  private static void audit(String scheme, Map<String, ?> parameters) throws IOException {
    Pair pair = Pairs.named("growth");
    try (StorePlace place = StorePlace.memory()) {
      RunSettings settings =
          RunSettings.of(RunSettings.smallConfig(scheme, parameters), place, ACCESSES);
      Findings findings = SmallAudit.of(pair, settings, RUNS, RUNS / 2);
      assertThat(findings.toldApart()).isEmpty();
      assertThat(findings.list())
          .filteredOn(finding -> finding.verdict() == Verdict.ALIKE)
          .extracting(Findings.Finding::check)
          .contains("requests", "whole paths, counted evictions", "labels shown once");
    }
  }
}
