package io.github.roram.auditor.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.auditor.judge.Check.PairCheck;
import io.github.roram.auditor.judge.Findings.Verdict;
import io.github.roram.auditor.judge.VaultChecks.VaultShapes;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import io.github.roram.storage.view.View;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which differences in the vault count, from views made up. */
class VaultShapesTest {

  private static Sight sight(long access, Action action, boolean beside, String name, long bytes) {
    return new Sight(access, Observer.VAULT, action, beside ? 1 : 0, name, 0, bytes);
  }

  private static Verdict verdict(List<Sight> sideA, List<Sight> sideB) {
    VaultShapes shapes = new VaultShapes();
    shapes.add(seen(sideA), seen(sideB));
    return shapes.outcome().verdict();
  }

  private static Seen seen(List<Sight> sights) {
    return Seen.of(new View(Workloads.config("roram"), sights));
  }

  @Test
  void whenTheBackgroundGetsAroundToItDoesNotCount() {
    Sight append = sight(3, Action.APPEND, false, "journal-4", 100);
    Sight delete = sight(3, Action.DELETE, true, "journal-4", 0);
    Sight late = sight(9, Action.DELETE, true, "journal-4", 0);
    assertThat(verdict(List.of(append, delete), List.of(append, late))).isEqualTo(Verdict.ALIKE);
    assertThat(verdict(List.of(append, delete), List.of(delete, append))).isEqualTo(Verdict.ALIKE);
  }

  @Test
  void generationsCountFromTheFirst() {
    assertThat(
            verdict(
                List.of(sight(3, Action.APPEND, false, "journal-4", 100)),
                List.of(sight(3, Action.APPEND, false, "journal-12", 100))))
        .isEqualTo(Verdict.ALIKE);
  }

  @Test
  void lengthsCountsAndTheAccessOfAnAppendDo() {
    List<Sight> once = List.of(sight(3, Action.APPEND, false, "journal-4", 100));
    assertThat(verdict(once, List.of(sight(3, Action.APPEND, false, "journal-4", 101))))
        .isEqualTo(Verdict.TOLD_APART);
    assertThat(verdict(once, List.of(sight(4, Action.APPEND, false, "journal-4", 100))))
        .isEqualTo(Verdict.TOLD_APART);
    assertThat(verdict(once, List.of())).isEqualTo(Verdict.TOLD_APART);
    assertThat(
            verdict(
                List.of(sight(3, Action.SAVE, true, "state", 100)),
                List.of(sight(3, Action.SAVE, true, "state", 90))))
        .isEqualTo(Verdict.TOLD_APART);
  }

  /** Where accesses overlap: a log is synced in every run, and cut in some. */
  private static Verdict distributed(int runs, int cutsInA, int cutsInB) {
    PairCheck check = ComparedLengths.ofVault();
    for (int run = 0; run < runs; run++) {
      check.add(overlapped(run < cutsInA), overlapped(runs - run <= cutsInB));
    }
    return check.outcome().verdict();
  }

  private static Seen overlapped(boolean cuts) {
    Sight sync = sight(1, Action.SYNC, false, "journal-1", 0);
    Sight cut = sight(2, Action.TRUNCATE, false, "journal-1", 0);
    return seen(cuts ? List.of(sync, cut) : List.of(sync));
  }

  @Test
  void whatOnlyOneSideDoesIsFoundOnceThereAreEnoughRuns() {
    assertThat(distributed(50, 50, 0)).isEqualTo(Verdict.TOLD_APART);
    assertThat(distributed(50, 0, 30)).isEqualTo(Verdict.TOLD_APART);
    assertThat(distributed(50, 50, 12)).isEqualTo(Verdict.TOLD_APART);
    assertThat(distributed(50, 25, 30)).isEqualTo(Verdict.ALIKE);
    assertThat(distributed(50, 0, 12)).isEqualTo(Verdict.ALIKE);
    assertThat(distributed(4, 4, 0)).isEqualTo(Verdict.ALIKE);
  }
}
