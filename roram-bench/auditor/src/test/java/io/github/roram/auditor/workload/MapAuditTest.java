package io.github.roram.auditor.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OramConfig;
import io.github.roram.auditor.judge.Findings;
import io.github.roram.auditor.judge.Findings.Finding;
import io.github.roram.auditor.judge.Findings.Verdict;
import io.github.roram.auditor.workload.Pair.Pairs;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Audits of maps, and of accesses to scattered blocks: nothing is told apart. */
final class MapAuditTest {

  private static final int RUNS = 3;
  private static final int ACCESSES = 45;

  private static RunSettings settings(String scheme, String through, StorePlace place) {
    OramConfig config = RunSettings.smallConfig(scheme, Map.of());
    RunSettings settings = RunSettings.of(config, place, ACCESSES);
    return switch (through) {
      case "map" -> settings.withFrontend(Frontend.map(false));
      case "sorted-map" -> settings.withFrontend(Frontend.map(true));
      case "values" -> settings.withFrontend(Frontend.values(false));
      case "index" -> settings.withFrontend(Frontend.index());
      case "values-keys" -> settings.withFrontend(Frontend.values(true));
      default -> settings;
    };
  }

  @ParameterizedTest
  @CsvSource({
    "roram,library,scattered",
    "roram,map,get-put",
    "roram,map,hit-miss",
    "roram,map,hot-keys",
    "roram,sorted-map,get-put",
    "roram,sorted-map,splits",
    "roram,sorted-map,scans",
    "roram,values,get-put",
    "roram,values,hit-miss",
    "roram,values-keys,get-put",
    "roram,values-keys,hit-miss",
    "roram,index,hit-miss",
    "roram,index,hot-keys",
  })
  void nothingIsToldApart(String scheme, String through, String name) throws IOException {
    Pair pair = Pairs.named(name);
    try (StorePlace place = StorePlace.memory()) {
      RunSettings settings = settings(scheme, through, place);
      Findings findings = SmallAudit.of(pair, settings, RUNS, 1);
      assertThat(findings.toldApart()).isEmpty();
      assertThat(findings.list())
          .filteredOn(finding -> finding.verdict() == Verdict.ALIKE)
          .extracting(Finding::check)
          .contains("requests");
    }
  }

  @Test
  void pairsAreForWhatHasThem() throws IOException {
    try (StorePlace place = StorePlace.memory()) {
      RunSettings hashed = settings("roram", "map", place);
      assertThat(Pairs.named("reads-writes").objection(hashed)).isPresent();
      assertThat(Pairs.named("scans").objection(hashed)).isPresent();
      assertThat(Pairs.named("scattered").objection(hashed)).isPresent();
      RunSettings index = settings("roram", "index", place);
      assertThat(Pairs.named("get-put").objection(index)).isPresent();
      RunSettings library = settings("roram", "library", place);
      assertThat(Pairs.named("get-put").objection(library)).isPresent();
    }
  }
}
