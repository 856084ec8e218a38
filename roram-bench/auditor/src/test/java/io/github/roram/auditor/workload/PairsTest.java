package io.github.roram.auditor.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.OramConfig;
import io.github.roram.auditor.workload.Pair.Pairs;
import io.github.roram.auditor.workload.Pair.Workload;
import io.github.roram.auditor.workload.RunSettings.AuditedRun;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.View;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PairsTest {

  private static final int ACCESSES = 18;

  @TempDir Path directory;

  static Stream<Pair> pairs() {
    return Pairs.all().stream()
        .filter(pair -> pair.scope() == Pair.Scope.ANY || pair.scope() == Pair.Scope.CALLS);
  }

  private static OramConfig config(String scheme) {
    return RunSettings.smallConfig(scheme, Map.of());
  }

  private static RunSettings settings(String scheme, StorePlace place) {
    return RunSettings.of(config(scheme), place, ACCESSES);
  }

  /** The public is the same on both sides, and in every run: else there is nothing to compare. */
  @ParameterizedTest
  @MethodSource("pairs")
  void bothSidesDeclareTheSame(Pair pair) throws IOException {
    try (StorePlace place = StorePlace.memory()) {
      RunSettings settings = settings("roram", place);
      View left = AuditedRun.of(pair.left(), settings, 1);
      assertThat(Seen.declared(left)).isNotEmpty();
      assertThat(Seen.declared(AuditedRun.of(pair.right(), settings, 1)))
          .isEqualTo(Seen.declared(left));
      assertThat(Seen.declared(AuditedRun.of(pair.right(), settings, 2)))
          .isEqualTo(Seen.declared(left));
    }
  }

  /** Where a range may be as long as the store, what is accessed ends with it. */
  @ParameterizedTest
  @ValueSource(strings = {"hot-cold", "growth", "backups"})
  void rangesOfATinyStoreAreWithinIt(String name) throws IOException {
    OramConfig tiny = OramConfig.builder(16).scheme("path-batched").blockBytes(512).build();
    Pair pair = Pairs.named(name);
    try (StorePlace place = StorePlace.memory()) {
      RunSettings settings = RunSettings.of(tiny, place, 200);
      assertThat(Seen.declared(AuditedRun.of(pair.left(), settings, 1)))
          .isEqualTo(Seen.declared(AuditedRun.of(pair.right(), settings, 1)));
    }
  }

  /** What a judge calls a difference must not come from the runs themselves. */
  @ParameterizedTest
  @MethodSource("pairs")
  void twoRunsOfAWorkloadAskForTheSame(Pair pair) throws IOException {
    try (StorePlace place = StorePlace.memory()) {
      RunSettings settings = settings("roram", place);
      View one = AuditedRun.of(pair.left(), settings, 1);
      List<View> others = new ArrayList<>();
      for (int run = 0; run < 5; run++) {
        others.add(AuditedRun.of(pair.left(), settings, 1));
      }
      // Since the labels differ; but so few buckets were written that two runs may meet the same.
      assertThat(others).anyMatch(other -> !other.sights().equals(one.sights()));
      assertThat(others)
          .allSatisfy(other -> assertThat(Seen.requests(other)).isEqualTo(Seen.requests(one)));
    }
  }

  @SuppressWarnings("EnumOrdinal") // in turn
  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram"})
  void everyPairRunsOnEverySchemeAndDurability(String scheme) throws IOException {
    try (StorePlace place = StorePlace.memory()) {
      for (Durability durability : Durability.values()) {
        if ("path".equals(scheme) && durability != Durability.NONE) {
          continue;
        }
        RunSettings defaults = settings(scheme, place).withAccesses(9);
        RunSettings settings = defaults.withOptions(defaults.options().withDurability(durability));
        // The two schemes with journals take turns, so that each pair meets all durabilities.
        int turn = durability.ordinal() + ("roram".equals(scheme) ? 1 : 0);
        for (Pair pair : pairs().toList()) {
          boolean dies = pair.left().dies();
          boolean runs = "path".equals(scheme) || turn++ % 2 == 0;
          assertThat(pair.objection(settings).isPresent())
              .isEqualTo(dies && durability == Durability.NONE);
          if (runs && pair.objection(settings).isEmpty()) {
            View view = AuditedRun.of(pair.right(), settings, 3);
            assertThat(view.config()).isEqualTo(settings.config());
            assertThat(Seen.bytes(view, Observer.STORE, Action.WRITE)).isPositive();
            assertThat(Seen.count(view, Observer.DECLARED, Action.CRASH)).isEqualTo(dies ? 2 : 0);
          }
        }
      }
    }
  }

  @Test
  void filesShowTheVaultAndCheckpoints() throws IOException {
    try (StorePlace place = StorePlace.temporaryFiles(directory)) {
      RunSettings settings = settings("roram", place);
      View view = AuditedRun.of(Pairs.named("reads-writes").left(), settings, 1);
      assertThat(Seen.bytes(view, Observer.VAULT, Action.APPEND)).isGreaterThan(64 << 10);
      assertThat(Seen.beside(view)).as("what other threads did").isEmpty();
      assertThat(Seen.count(view, Observer.VAULT, Action.SAVE)).isGreaterThan(3);
      assertThat(view.sights()).anyMatch(sight -> sight.name().equals("journal-1"));
      assertThat(Seen.count(view, Observer.STORE, Action.OPEN)).isEqualTo(1);
      assertThat(Seen.count(view, Observer.STORE, Action.CLOSE)).isEqualTo(1);
      assertThat(Seen.count(view, Observer.NETWORK, Action.SEND)).isZero();
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Tag("gate")
  @Test
  void aServerShowsTheLine() throws IOException {
    try (StorePlace place = StorePlace.temporaryTlsServer(directory, false)) {
      RunSettings settings = settings("roram", place);
      for (int run = 0; run < 2; run++) {
        View view = AuditedRun.of(Pairs.named("crash").right(), settings, run);
        // Everything that is written goes over the line, in records.
        assertThat(Seen.bytes(view, Observer.NETWORK, Action.SEND))
            .isGreaterThan(Seen.bytes(view, Observer.STORE, Action.WRITE));
        assertThat(Seen.bytes(view, Observer.NETWORK, Action.RECEIVE))
            .isGreaterThan(Seen.bytes(view, Observer.STORE, Action.READ));
        assertThat(Seen.count(view, Observer.NETWORK, Action.OPEN))
            .isEqualTo(Seen.count(view, Observer.NETWORK, Action.CLOSE))
            .isPositive();
        assertThat(view.sights())
            .filteredOn(sight -> sight.observer() == Observer.NETWORK)
            .allMatch(sight -> sight.bytes() <= (1 << 14) + 261);
      }
    }
    assertThat(directory).isEmptyDirectory();
  }

  /** Durability os does not sync the journal, so a power failure takes of it what sync keeps. */
  @Test
  void aPowerFailureTakesWhatIsNotSynced() throws IOException {
    try (StorePlace place = StorePlace.memory()) {
      RunSettings sync = settings("roram", place);
      RunSettings os = sync.withOptions(sync.options().withDurability(Durability.OS));
      Workload reads = Pairs.named("power").left();
      assertThat(Seen.count(AuditedRun.of(reads, os, 1), Observer.VAULT, Action.SYNC))
          .isLessThan(Seen.count(AuditedRun.of(reads, sync, 1), Observer.VAULT, Action.SYNC));
    }
  }

  /** Whoever sees reads sees whether there are any. */
  @Test
  void whetherAnythingIsReadIsForWhoSeesWritesAlone() throws IOException {
    try (StorePlace place = StorePlace.memory()) {
      assertThat(Pairs.named("reads-none").objection(settings("roram", place)))
          .get()
          .asString()
          .contains("--adversary snapshots");
    }
  }

  @Test
  void namesAreUniqueAndUnknownOnesAreTold() {
    Set<String> names = new HashSet<>();
    Pairs.all().forEach(pair -> assertThat(names.add(pair.name())).isTrue());
    assertThat(Pairs.named("crash").left().dies()).isTrue();
    assertThatThrownBy(() -> Pairs.named("crush"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll("\"crush\"", "reads-writes, same-distinct", "power");
  }
}
