package io.github.roram.auditor;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OramConfig;
import io.github.roram.auditor.judge.Findings;
import io.github.roram.auditor.judge.Findings.Verdict;
import io.github.roram.auditor.workload.Pair;
import io.github.roram.auditor.workload.Pair.Pairs;
import io.github.roram.auditor.workload.RunSettings;
import io.github.roram.auditor.workload.RunSettings.AuditedRun;
import io.github.roram.auditor.workload.SmallAudit;
import io.github.roram.auditor.workload.StorePlace;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scheme ring: nothing is told apart, and its slots are judged. */
final class RingAuditTest {

  private static final int RUNS = 4;
  private static final int ACCESSES = 80;

  @ParameterizedTest
  @ValueSource(strings = {"reads-writes", "hot-cold", "full-empty", "bulk", "crash", "power"})
  void nothingIsToldApart(String name) throws IOException {
    Pair pair = Pairs.named(name);
    try (StorePlace place = StorePlace.memory()) {
      RunSettings settings =
          RunSettings.of(RunSettings.smallConfig("ring", Map.of()), place, ACCESSES);
      Findings findings = SmallAudit.of(pair, settings, RUNS, RUNS / 2);
      assertThat(findings.toldApart()).isEmpty();
      assertSlotsAreReadOnce(findings);
    }
  }

  private static void assertSlotsAreReadOnce(Findings findings) {
    assertThat(findings.list())
        .filteredOn(finding -> finding.check().startsWith("slots read once"))
        .allMatch(finding -> finding.verdict() == Verdict.ALIKE)
        .isNotEmpty();
  }

  /** Slots that a server puts together are judged as those that it returns. */
  @Tag("gate")
  @ParameterizedTest
  @ValueSource(strings = {"reads-writes", "crash"})
  void nothingIsToldApartByTheXorOfPaths(String name, @TempDir Path directory) throws IOException {
    Pair pair = Pairs.named(name);
    OramConfig config = RunSettings.smallConfig("ring", Map.of());
    try (StorePlace slots = StorePlace.temporaryTlsServer(directory, false);
        StorePlace xor = StorePlace.temporaryTlsServer(directory, true)) {
      RunSettings settings = RunSettings.of(config, xor, ACCESSES);
      assertThat(received(pair, settings))
          .isLessThan(received(pair, RunSettings.of(config, slots, ACCESSES)));
      Findings findings = SmallAudit.of(pair, settings, RUNS, RUNS / 2);
      assertThat(findings.toldApart()).isEmpty();
      assertSlotsAreReadOnce(findings);
    }
  }

  private static long received(Pair pair, RunSettings settings) throws IOException {
    return AuditedRun.of(pair.left(), settings, 1).sights().stream()
        .filter(sight -> sight.observer() == Observer.NETWORK && sight.action() == Action.RECEIVE)
        .mapToLong(Sight::bytes)
        .sum();
  }
}
