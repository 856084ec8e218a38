package io.github.roram.auditor.judge;

import io.github.roram.auditor.judge.Check.CheckOutcome;
import io.github.roram.auditor.judge.Check.PairCheck;
import io.github.roram.auditor.judge.Check.ViewCheck;
import io.github.roram.auditor.judge.EnginePlaces.NamedRequests;
import io.github.roram.auditor.judge.EnginePlaces.WrittenOnce;
import io.github.roram.auditor.judge.Findings.Finding;
import io.github.roram.auditor.judge.Findings.Verdict;
import io.github.roram.auditor.judge.Judge.PairSeries.SideSeries;
import io.github.roram.auditor.judge.LabelChecks.LabelIndependence;
import io.github.roram.auditor.judge.LabelChecks.LabelUniformity;
import io.github.roram.auditor.judge.LabelChecks.SingleUse;
import io.github.roram.auditor.judge.OverlapView.OverlapChecks.OverlappedEvents;
import io.github.roram.auditor.judge.OverlapView.OverlapChecks.ReallyOverlapped;
import io.github.roram.auditor.judge.Seen.Repeats.AskedAgain;
import io.github.roram.auditor.judge.ShownPaths.ShownLabels;
import io.github.roram.auditor.judge.SlotHistory.SlotChecks;
import io.github.roram.auditor.judge.StoreChecks.ExplainedRequests;
import io.github.roram.auditor.judge.StoreChecks.ReadsOfClass;
import io.github.roram.auditor.judge.StoreChecks.StoreShapes;
import io.github.roram.auditor.judge.VaultChecks.JournalLengths;
import io.github.roram.auditor.judge.VaultChecks.SavedLengths;
import io.github.roram.auditor.judge.VaultChecks.VaultShapes;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import io.github.roram.storage.view.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Judges views: pairs of sides that must look alike, or single views. Views are given run by run
 * and not kept. Not thread safe.
 *
 * <p>Told apart is what an exact check finds different, what is too unlikely by chance (an audit of
 * up to 10^4 tests errs in less than one of 10^4 runs), and what a trained distinguisher sees with
 * more than a hundredth of advantage beyond doubt.
 */
public final class Judge {

  private static final int WINDOW_ACCESSES = 16;

  private final String pair;
  private final int trainingRuns;
  private int runs;
  private boolean isProvoked;
  private @Nullable String difference;

  private final List<PairCheck> pairChecks = new ArrayList<>();
  private final List<ViewCheck> checksOfA = new ArrayList<>();
  private final List<ViewCheck> checksOfB = new ArrayList<>();
  private final List<Distinguisher> distinguishers = new ArrayList<>();
  private final SideSeries seriesOfA = new SideSeries();
  private final SideSeries seriesOfB = new SideSeries();

  /**
   * Creates the judge of one pair of workloads.
   *
   * @param pair name of the pair in the findings
   * @param trainingRuns number of runs from which the distinguisher learns; it is tried on those
   *     after them
   */
  public Judge(String pair, int trainingRuns) {
    this.pair = pair;
    this.trainingRuns = trainingRuns;
  }

  private static List<PairCheck> pairChecks(boolean overlap) {
    return overlap
        ? List.of(
            new OverlappedEvents(Observer.STORE),
            new OverlappedEvents(Observer.VAULT),
            new OverlappedEvents(Observer.DECLARED),
            ComparedLengths.ofReads(),
            ComparedLengths.ofVault())
        : List.of(
            new StoreShapes(),
            ComparedLengths.ofReads(),
            new VaultShapes(),
            new NetworkShapes(),
            NamedRequests.ofBackups());
  }

  private static List<ViewCheck> viewChecks(boolean overlap) {
    List<ViewCheck> checks = new ArrayList<>();
    checks.add(new ExplainedRequests());
    checks.add(new LabelUniformity());
    checks.add(new LabelIndependence());
    checks.add(new SingleUse());
    checks.add(new AskedAgain());
    checks.add(new SlotChecks());
    checks.addAll(
        overlap
            ? List.of(new ReallyOverlapped())
            : List.of(new ReadsOfClass(), new JournalLengths()));
    return checks;
  }

  /** Adds a run of each side: both must declare the same size classes, crashes and bulk loads. */
  public void add(View sideA, View sideB) {
    add(Seen.of(sideA), Seen.of(sideB));
  }

  /** Adds two runs that may overlap or be provoked; all runs must be of one kind. */
  public void add(Seen a, Seen b) {
    runs++;
    if (runs == 1) {
      boolean overlap = a.overlap() != null;
      pairChecks.addAll(pairChecks(overlap));
      checksOfA.addAll(viewChecks(overlap));
      checksOfB.addAll(viewChecks(overlap));
      List<Observer> observers = new ArrayList<>(List.of(Observer.STORE, Observer.VAULT));
      if (!overlap) {
        observers.add(Observer.NETWORK);
      }
      if (a.has(Observer.ENGINE)) {
        observers.add(Observer.ENGINE);
        pairChecks.add(NamedRequests.ofEngine());
        checksOfA.add(new WrittenOnce());
        checksOfB.add(new WrittenOnce());
      }
      for (Observer observer : observers) {
        distinguishers.add(new Distinguisher(observer, 1));
        distinguishers.add(new Distinguisher(observer, WINDOW_ACCESSES));
      }
    }
    isProvoked |= a.repeats().failures() + b.repeats().failures() > 0;
    if (difference == null) {
      difference = declaredDifference(a, b);
    }
    if (difference != null) {
      return;
    }
    pairChecks.forEach(check -> check.add(a, b));
    seriesOfA.add(a);
    seriesOfB.add(b);
    checksOfA.forEach(check -> check.add(a));
    checksOfB.forEach(check -> check.add(b));
    distinguishers.forEach(distinguisher -> distinguisher.add(a, b, runs <= trainingRuns));
  }

  /** Returns what the runs so far come to. */
  public Findings findings() {
    if (difference != null) {
      // Where the store fails, how often a program tries again is what it did about that.
      Verdict verdict = isProvoked ? Verdict.TOLD_APART : Verdict.NOT_APPLICABLE;
      return new Findings(
          List.of(Finding.of(pair, Observer.DECLARED, "size classes", verdict, difference)));
    }
    List<Finding> findings = new ArrayList<>();
    for (PairCheck check : pairChecks) {
      findings.add(check.finding(pair, check.outcome()));
    }
    for (int i = 0; i < checksOfA.size(); i++) {
      ViewCheck check = checksOfA.get(i);
      findings.add(check.finding(pair, worse(check.outcome(), checksOfB.get(i).outcome())));
    }
    distinguishers.forEach(distinguisher -> findings.add(distinguisher.finding(pair)));
    return new Findings(findings);
  }

  /** Returns what pictures of the runs so far are drawn from. */
  public PairSeries series() {
    return new PairSeries(
        pair,
        seriesOfA.appended(),
        seriesOfB.appended(),
        seriesOfA.saved(),
        seriesOfB.saved(),
        seriesOfA.labels(),
        seriesOfB.labels());
  }

  /**
   * Judges one view by itself.
   *
   * @param name what it is called in the findings
   */
  public static Findings judgeView(String name, View view) {
    Seen seen = Seen.of(view);
    List<ViewCheck> checks = viewChecks(false);
    checks.add(new SavedLengths());
    List<Finding> findings = new ArrayList<>();
    for (ViewCheck check : checks) {
      check.add(seen);
      findings.add(check.finding(name, check.outcome()));
    }
    return new Findings(findings);
  }

  private static CheckOutcome worse(CheckOutcome first, CheckOutcome second) {
    return second.verdict().compareTo(first.verdict()) < 0 ? second : first;
  }

  private @Nullable String declaredDifference(Seen a, Seen b) {
    List<String> inA = a.declared();
    List<String> inB = b.declared();
    if (inA.equals(inB) && a.config().equals(b.config())) {
      return null;
    }
    return "the sides of run "
        + runs
        + " differ in what they declare ("
        + inA.size()
        + " and "
        + inB.size()
        + " events), so they may be told apart";
  }

  /**
   * What pictures of a pair are drawn from.
   *
   * @param pair its name
   * @param appendedA bytes appended to the vault's logs in each access of the first run, side A
   * @param appendedB side B
   * @param savedA bytes of each record saved in the first run, in order, side A
   * @param savedB side B
   * @param labelsA how many labels of tree 0 fell into each of equally wide bins, all runs, side A
   * @param labelsB side B
   */
  public record PairSeries(
      String pair,
      List<Long> appendedA,
      List<Long> appendedB,
      List<Long> savedA,
      List<Long> savedB,
      List<Long> labelsA,
      List<Long> labelsB) {

    /** Collects what pictures of one side are drawn from. */
    static final class SideSeries {

      private static final int BINS = 32;

      /** More points than this cannot be told apart in a picture. */
      private static final int MOST_ACCESSES = 1000;

      private final List<Long> appended = new ArrayList<>();
      private final List<Long> saved = new ArrayList<>();
      private final long[] labels = new long[BINS];
      private boolean started;

      void add(Seen run) {
        if (!started) {
          started = true;
          first(run);
        }
        if (ShownLabels.trees(run.config()).isEmpty()) {
          return;
        }
        for (ShownLabels.Label label : ShownLabels.of(run, 0)) {
          labels[(int) ((long) label.label() * BINS / label.leaves())]++;
        }
      }

      private void first(Seen run) {
        long[] sums = new long[Math.min(run.classes().length, MOST_ACCESSES)];
        for (Sight sight : run.of(Observer.VAULT)) {
          if (sight.action() == Action.APPEND && sight.access() < sums.length) {
            sums[(int) sight.access()] += sight.bytes();
          } else if (sight.action() == Action.SAVE) {
            saved.add(sight.bytes());
          }
        }
        Arrays.stream(sums).skip(1).forEach(appended::add);
      }

      List<Long> appended() {
        return List.copyOf(appended);
      }

      List<Long> saved() {
        return List.copyOf(saved);
      }

      List<Long> labels() {
        return Arrays.stream(labels).boxed().toList();
      }
    }
  }
}
