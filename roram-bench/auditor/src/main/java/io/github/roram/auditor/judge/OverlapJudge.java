package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Observer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Judges a pair of workloads whose accesses overlap. Both sides make as many accesses of the same
 * size classes, and get the store's answers in the same order; what the store is asked for then,
 * and when, must be equal, and so must what is recorded in the vault. What depends on random labels
 * is left to a {@link Distinguisher}. Not thread safe.
 */
public final class OverlapJudge {

  private final String pair;
  private final int trainingRuns;
  private final Distinguisher distinguisher = new Distinguisher(Observer.STORE, 1);
  private int runs;
  private long requests;
  private long records;
  private @Nullable String storeDifference;
  private @Nullable String vaultDifference;
  private @Nullable String declaredDifference;

  /**
   * A judge of one pair.
   *
   * @param pair its name in the findings
   * @param trainingRuns the distinguisher learns from the first so many runs
   */
  public OverlapJudge(String pair, int trainingRuns) {
    this.pair = pair;
    this.trainingRuns = trainingRuns;
  }

  /** Adds a run of each side. */
  public void add(OverlapView sideA, OverlapView sideB) {
    runs++;
    compare(sideA.events(), sideB.events());
    requests += sideA.asked().size();
    records += sideA.events().stream().filter(e -> e.observer() == Observer.VAULT).count();
    distinguisher.add(
        OverlapFeatures.of(sideA.asked()), OverlapFeatures.of(sideB.asked()), runs <= trainingRuns);
  }

  /** Who sees the first difference is told; after it nothing need be equal. */
  private void compare(List<OverlapView.Event> a, List<OverlapView.Event> b) {
    for (int i = 0; i < Math.max(a.size(), b.size()); i++) {
      OverlapView.@Nullable Event inA = i < a.size() ? a.get(i) : null;
      OverlapView.@Nullable Event inB = i < b.size() ? b.get(i) : null;
      if (inA != null && inA.equals(inB)) {
        continue;
      }
      String difference =
          String.format(
              Locale.ROOT,
              "run %d, event %d: one side %s, the other %s",
              runs,
              i + 1,
              text(inA),
              text(inB));
      note(inA, difference);
      note(inB, difference);
      return;
    }
  }

  private void note(OverlapView.@Nullable Event event, String difference) {
    if (event == null) {
      return;
    }
    switch (event.observer()) {
      case STORE -> storeDifference = storeDifference == null ? difference : storeDifference;
      case VAULT -> vaultDifference = vaultDifference == null ? difference : vaultDifference;
      default -> declaredDifference = declaredDifference == null ? difference : declaredDifference;
    }
  }

  private static String text(OverlapView.@Nullable Event event) {
    return event == null ? "nothing" : event.text();
  }

  /** What the runs so far come to. */
  public Findings findings() {
    List<Finding> findings = new ArrayList<>();
    findings.add(
        finding(
            Observer.STORE,
            "requests and when",
            storeDifference,
            requests,
            " requests follow from calls and answers"));
    findings.add(
        finding(
            Observer.VAULT,
            "records and logs",
            vaultDifference,
            records,
            " changes are of the same lengths"));
    if (storeDifference == null && vaultDifference == null && declaredDifference != null) {
      findings.add(
          Finding.of(
              pair, Observer.STORE, "calls and answers", Verdict.TOLD_APART, declaredDifference));
    }
    findings.add(distinguisher.finding(pair));
    return new Findings(findings);
  }

  private Finding finding(
      Observer observer, String check, @Nullable String difference, long seen, String alike) {
    if (difference != null) {
      return Finding.of(pair, observer, check, Verdict.TOLD_APART, difference);
    }
    return seen == 0
        ? Finding.of(pair, observer, check, Verdict.NOT_APPLICABLE, "nothing was seen")
        : Finding.of(pair, observer, check, Verdict.ALIKE, seen + alike + " in " + runs + " runs");
  }
}
