package io.github.roram.auditor.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.auditor.judge.Findings;
import io.github.roram.auditor.judge.Judge;
import io.github.roram.auditor.workload.Frontend.PagingFrontend;
import io.github.roram.auditor.workload.Pair.Pairs;
import io.github.roram.auditor.workload.RunSettings.AuditedRun;
import io.github.roram.crypto.MasterKey;
import io.github.roram.paging.PageStore;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.storage.view.RecordedStore;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Paging hides which pages faults are of; without an ORAM, or told to show it, it does not. */
final class PagingAuditTest {

  private static final int RUNS = 4;
  private static final int FAULTS = 60;

  private static Findings judge(String scheme, String pair, Frontend frontend) throws IOException {
    Map<String, Object> given =
        scheme.equals("detwo") ? Map.of("adversary", "snapshots") : Map.of();
    try (StorePlace place = StorePlace.memory()) {
      RunSettings settings =
          RunSettings.of(RunSettings.smallConfig(scheme, given), place, FAULTS)
              .withFrontend(frontend);
      Pair both = Pairs.named(pair);
      assertThat(both.objection(settings)).isEmpty();
      Judge judge = new Judge(pair, 1);
      for (int seed = 0; seed < RUNS; seed++) {
        judge.add(
            AuditedRun.seen(both.left(), settings, seed),
            AuditedRun.seen(both.right(), settings, seed));
      }
      return judge.findings();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "path,pages",
    "path,clean-dirty",
    "path,secret-branch",
    "roram,pages",
    "roram,clean-dirty",
    "roram,secret-branch",
    "detwo,pages",
    "detwo,clean-dirty",
    "detwo,secret-branch"
  })
  void nothingIsToldApart(String scheme, String pair) throws IOException {
    Findings findings = judge(scheme, pair, new PagingFrontend());
    assertThat(findings.toldApart()).isEmpty();
    assertThat(findings.hasDistinguisher()).isTrue();
  }

  /** As the scheme that is compared with, through the same blocks that an ORAM would hide. */
  @ParameterizedTest
  @ValueSource(strings = {"pages", "secret-branch"})
  void blocksThatAreSealedAloneAreToldApart(String pair) throws IOException {
    assertThat(judge("sealed", pair, new PagingFrontend()).toldApart())
        .anyMatch(finding -> finding.check().equals("requests"));
  }

  @Test
  void pagesWithoutAnOramAreToldApart() throws IOException {
    Frontend sealed =
        new PagingFrontend(
            (oram, recorder) -> {
              long pages = oram.config().blocks();
              int pageBytes = oram.config().blockBytes();
              MemoryStore store = new MemoryStore(PageStore.sealedBytes(pages, pageBytes));
              try (MasterKey key = MasterKey.generate()) {
                return PageStore.sealedWithoutOram(
                    new RecordedStore(store, recorder), pages, pageBytes, key);
              }
            },
            false);
    assertThat(judge("path", "pages", sealed).toldApart())
        .anyMatch(finding -> finding.check().equals("requests"));
  }

  @Test
  void pagesThatLeaveUnwrittenAreToldApart() throws IOException {
    Frontend revealing = new PagingFrontend((oram, recorder) -> PageStore.of(oram), true);
    assertThat(judge("path", "clean-dirty", revealing).toldApart()).isNotEmpty();
    assertThat(judge("path", "pages", revealing).toldApart())
        .noneMatch(finding -> finding.check().equals("requests"));
  }
}
