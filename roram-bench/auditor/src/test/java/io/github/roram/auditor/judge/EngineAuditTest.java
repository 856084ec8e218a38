package io.github.roram.auditor.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.OramConfig;
import io.github.roram.auditor.judge.Findings.Finding;
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
import io.github.roram.storage.view.View;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Buckets and client's records in one engine: nothing is told apart, and leaks would be. */
final class EngineAuditTest {

  private static final int RUNS = 4;
  private static final int ACCESSES = 60;

  private static RunSettings settings(String scheme, StorePlace place) throws IOException {
    OramConfig config = place.made(RunSettings.smallConfig(scheme, Map.of()));
    return RunSettings.of(config, place, ACCESSES);
  }

  @ParameterizedTest
  @CsvSource({
    "roram, reads-writes",
    "roram, same-distinct",
    "roram, bulk",
    "roram, crash",
    "roram, power",
    "path-batched, hot-cold",
    "ring, reads-writes",
    "ring, crash",
  })
  void nothingIsToldApart(String scheme, String pair) throws IOException {
    try (StorePlace place = StorePlace.objects()) {
      Findings findings = SmallAudit.of(Pairs.named(pair), settings(scheme, place), RUNS, RUNS / 2);
      assertThat(findings.toldApart()).isEmpty();
      assertThat(findings.list())
          .filteredOn(finding -> finding.verdict() == Verdict.ALIKE)
          .extracting(Finding::observer)
          .contains(Observer.ENGINE, Observer.STORE, Observer.VAULT);
    }
  }

  /** What a vault in an engine cannot do is not audited as if it could. */
  @Test
  void whatTheClientWouldRefuseIsRefused() throws IOException {
    try (StorePlace place = StorePlace.objects()) {
      RunSettings settings = settings("roram", place);
      RunSettings buffered = settings.withOptions(settings.options().withDurability(Durability.OS));
      assertThatThrownBy(() -> AuditedRun.of(Pairs.named("reads-writes").left(), buffered, 1))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("durability");
    }
  }

  /** Who told two sides apart, one of which is changed in one of twenty accesses. */
  private static List<Observer> told(
      Action action, Predicate<Sight> where, UnaryOperator<Sight> change) throws IOException {
    Pair pair = Pairs.named("reads-writes");
    try (StorePlace place = StorePlace.objects()) {
      RunSettings settings = settings("roram", place);
      View left = AuditedRun.of(pair.left(), settings, 1);
      View right = AuditedRun.of(pair.right(), settings, 1);
      View leaky =
          Leaks.change(
              right,
              Observer.ENGINE,
              action,
              20,
              sight -> where.test(sight) ? change.apply(sight) : sight);
      assertThat(leaky).isNotEqualTo(right);
      return Workloads.judgePair(List.of(left), List.of(leaky)).toldApart().stream()
          .map(Finding::observer)
          .distinct()
          .toList();
    }
  }

  private static Sight named(Sight sight, String name) {
    return new Sight(
        sight.access(),
        sight.observer(),
        sight.action(),
        sight.request(),
        name,
        sight.offset(),
        sight.bytes());
  }

  private static boolean isSlot(Sight sight) {
    return sight.name().startsWith("log/");
  }

  private static boolean isBucket(Sight sight) {
    return sight.name().startsWith("b/");
  }

  @Test
  void aLongerSlotIsFound() throws IOException {
    assertThat(told(Action.SAVE, EngineAuditTest::isSlot, sight -> Leaks.longer(sight, 1)))
        .contains(Observer.ENGINE);
  }

  @Test
  void bucketsReadOfAnotherObjectAreFound() throws IOException {
    assertThat(
            told(
                Action.READ,
                EngineAuditTest::isBucket,
                sight -> named(sight, sight.name().replaceFirst(".-", "f-"))))
        .contains(Observer.STORE);
  }

  @Test
  void anObjectWrittenTwiceIsFound() throws IOException {
    assertThat(
            told(
                Action.SAVE,
                EngineAuditTest::isBucket,
                sight ->
                    named(sight, sight.name().replaceFirst("/[0-9a-f]{16}", "/0000000000000009"))))
        .contains(Observer.ENGINE);
  }

  @Test
  void anotherDeleteIsFound() throws IOException {
    assertThat(told(Action.DELETE, sight -> true, sight -> named(sight, sight.name() + "0")))
        .containsExactly(Observer.ENGINE);
  }
}
