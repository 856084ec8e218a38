package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.View;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Judges views: pairs of sides that must look alike, or single views.
 *
 * <p>Told apart is what an exact check finds different, and what is less likely by chance than
 * {@link Chance#LEVEL} says, or seen by the distinguisher with more than a hundredth
 * of advantage beyond doubt.
 */
public final class Judge {

  private static final List<PairCheck> PAIR_CHECKS =
      List.of(
          new StoreShapes(),
          new ReadLengths(),
          new VaultShapes(),
          new NetworkShapes());

  private static final List<ViewCheck> VIEW_CHECKS =
      List.of(
          new ExplainedRequests(),
          new ReadsOfClass(),
          new LabelUniformity(),
          new LabelIndependence(),
          new SingleUse(),
          new JournalLengths());

  private static final int WINDOW_ACCESSES = 16;

  private static final List<Distinguisher> DISTINGUISHERS =
      List.of(
          new Distinguisher(Observer.STORE, 1),
          new Distinguisher(Observer.STORE, WINDOW_ACCESSES),
          new Distinguisher(Observer.VAULT, 1),
          new Distinguisher(Observer.VAULT, WINDOW_ACCESSES),
          new Distinguisher(Observer.NETWORK, 1),
          new Distinguisher(Observer.NETWORK, WINDOW_ACCESSES));

  private Judge() {}

  /**
   * Judges a pair of workloads.
   *
   * @param pair its name
   * @param sideA runs of one side
   * @param sideB as many of the other: run i has the size classes of run i of the first side
   * @throws IllegalArgumentException if there are no runs, or not as many
   */
  public static Findings judgePair(String pair, List<View> sideA, List<View> sideB) {
    if (sideA.isEmpty() || sideA.size() != sideB.size()) {
      throw new IllegalArgumentException(
          "pair "
              + pair
              + " has "
              + sideA.size()
              + " and "
              + sideB.size()
              + " runs; it needs as many on both sides, at least one");
    }
    List<Seen> a = Seen.of(sideA);
    List<Seen> b = Seen.of(sideB);
    String difference = declaredDifference(a, b);
    if (difference != null) {
      return new Findings(
          List.of(
              Finding.of(
                  pair, Observer.DECLARED, "size classes", Verdict.NOT_APPLICABLE, difference)));
    }
    List<Finding> findings = new ArrayList<>();
    for (PairCheck check : PAIR_CHECKS) {
      findings.add(finding(pair, check.observer(), check.name(), check.compare(a, b)));
    }
    for (ViewCheck check : VIEW_CHECKS) {
      Outcome ofA = check.judge(a);
      Outcome ofB = check.judge(b);
      findings.add(finding(pair, check.observer(), check.name(), worse(ofA, ofB)));
    }
    for (Distinguisher distinguisher : DISTINGUISHERS) {
      findings.add(distinguisher.judge(pair, a, b));
    }
    return new Findings(findings);
  }

  /**
   * Judges one view by itself.
   *
   * @param name what it is called in the findings
   */
  public static Findings judgeView(String name, View view) {
    List<Seen> seen = Seen.of(List.of(view));
    List<Finding> findings = new ArrayList<>();
    for (ViewCheck check : VIEW_CHECKS) {
      findings.add(finding(name, check.observer(), check.name(), check.judge(seen)));
    }
    ViewCheck lengths = new SavedLengths();
    findings.add(finding(name, lengths.observer(), lengths.name(), lengths.judge(seen)));
    return new Findings(findings);
  }

  private static Finding finding(String pair, Observer observer, String check, Outcome outcome) {
    return Finding.of(pair, observer, check, outcome.verdict(), outcome.evidence());
  }

  private static Outcome worse(Outcome first, Outcome second) {
    return second.verdict().compareTo(first.verdict()) < 0 ? second : first;
  }

  private static @Nullable String declaredDifference(
      List<Seen> a, List<Seen> b) {
    for (int run = 0; run < a.size(); run++) {
      List<String> inA = a.get(run).declared();
      List<String> inB = b.get(run).declared();
      if (!inA.equals(inB) || !a.get(run).config().equals(b.get(run).config())) {
        return "the sides of run "
            + (run + 1)
            + " differ in what they declare ("
            + inA.size()
            + " and "
            + inB.size()
            + " events), so they may be told apart";
      }
    }
    return null;
  }
}
