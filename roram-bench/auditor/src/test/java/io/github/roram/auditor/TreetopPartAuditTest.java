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

/** Clients that hold a part of a level: nothing is told apart, and all requests are explained. */
@Tag("gate")
final class TreetopPartAuditTest {

  private static final int RUNS = 4;
  private static final int ACCESSES = 80;

  @ParameterizedTest
  @CsvSource({
    "roram, reads-writes",
    "roram, same-distinct",
    "roram, full-empty",
    "roram, bulk",
    "roram, crash",
    "roram, scattered",
    "path-batched, reads-writes",
    "path-batched, hot-cold",
    "path-batched, crash",
  })
  void nothingIsToldApart(String scheme, String name) throws IOException {
    Pair pair = Pairs.named(name);
    Map<String, ?> part =
        Map.of("treetopBytes", 40 * RunSettings.SMALL_BLOCK_BYTES, "treetopPart", 9);
    try (StorePlace place = StorePlace.memory()) {
      RunSettings settings = RunSettings.of(RunSettings.smallConfig(scheme, part), place, ACCESSES);
      Findings findings = SmallAudit.of(pair, settings, RUNS, RUNS / 2);
      assertThat(findings.toldApart()).isEmpty();
      assertThat(findings.list())
          .filteredOn(finding -> finding.check().startsWith("requests"))
          .anyMatch(finding -> finding.verdict() == Verdict.ALIKE);
    }
  }
}
