package io.github.roram.auditor;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.auditor.judge.Findings;
import io.github.roram.auditor.judge.Findings.Verdict;
import io.github.roram.auditor.workload.Pair.Pairs;
import io.github.roram.auditor.workload.RunSettings;
import io.github.roram.auditor.workload.SmallAudit;
import io.github.roram.auditor.workload.StorePlace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nothing is told apart where a store fails requests and tampers, the same on both sides. */
@Tag("gate")
final class ProvokedAuditTest {

  private static final int RUNS = 4;

  /** How many reads closed buckets of ring have, and reads of nothing, tell no sides apart. */
  @ParameterizedTest
  @CsvSource({
    "ring, reads-writes, 200",
    "ring, same-distinct, 500",
    "roram, same-distinct, 100",
    "path-batched, reads-writes, 100"
  })
  void nothingIsToldApart(String scheme, String pair, int accesses) throws IOException {
    try (StorePlace place = StorePlace.memory()) {
      assertNothingIsToldApart(scheme, pair, place, accesses);
    }
  }

  @Test
  void nothingIsToldApartByTheXorOfPaths(@TempDir Path directory) throws IOException {
    try (StorePlace place = StorePlace.temporaryTlsServer(directory, true)) {
      assertNothingIsToldApart("ring", "reads-writes", place, 200);
    }
  }

  private static void assertNothingIsToldApart(
      String scheme, String pair, StorePlace place, int accesses) throws IOException {
    RunSettings settings =
        RunSettings.of(RunSettings.smallConfig(scheme, Map.of()), place, accesses).provoked();
    Findings findings = SmallAudit.of(Pairs.named(pair), settings, RUNS, RUNS / 2);
    assertThat(findings.toldApart()).isEmpty();
    assertThat(findings.list())
        .filteredOn(finding -> finding.check().equals("failed requests repeated"))
        .allMatch(finding -> finding.verdict() == Verdict.ALIKE)
        .isNotEmpty();
  }
}
