package io.github.roram.auditor;

import io.github.roram.auditor.judge.Findings;
import io.github.roram.auditor.judge.Findings.Finding;
import io.github.roram.auditor.judge.Findings.Verdict;
import io.github.roram.auditor.judge.Judge;
import io.github.roram.auditor.judge.Judge.PairSeries;
import io.github.roram.auditor.judge.Seen;
import io.github.roram.bench.ProgressListener;
import io.github.roram.storage.view.Observer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs pairs of workloads and judges them: each side in several runs, with a seed each. */
public final class Audit {

  /** Fewer accesses of a side tell nothing. */
  public static final int LEAST_ACCESSES = 40;

  private static final int LEAST_RUNS = 4;
  private static final int LONGEST_RUN_ACCESSES = 2000;

  private final Runs runs;
  private final int accesses;
  private final ProgressListener progress;
  private final Map<String, String> abouts = new LinkedHashMap<>();
  private final List<Findings> findings = new ArrayList<>();
  private final List<PairSeries> series = new ArrayList<>();
  private final List<String> undecided = new ArrayList<>();

  private Audit(Runs runs, int accesses, ProgressListener progress) {
    this.runs = runs;
    this.accesses = accesses;
    this.progress = progress;
  }

  /**
   * Audits.
   *
   * @param pairs names of the pairs, all of which are wanted; none for all that can be run
   * @param accesses of each side of a pair, at least {@link #LEAST_ACCESSES}
   * @param progress called after every run; may throw to stop
   * @throws IOException if a store fails
   */
  public static AuditReport run(
      Runs runs, List<String> pairs, int accesses, ProgressListener progress) throws IOException {
    if (accesses < LEAST_ACCESSES) {
      throw new IllegalArgumentException(
          "accesses is " + accesses + ", must be at least " + LEAST_ACCESSES);
    }
    Audit audit = new Audit(runs, accesses, progress);
    for (String pair : pairs.isEmpty() ? runs.names() : pairs) {
      audit.run(pair, !pairs.isEmpty());
    }
    if (audit.series.isEmpty() && audit.undecided.isEmpty()) {
      audit.undecided.add("no pair could be run");
    }
    return new AuditReport(
        runs.subject(),
        audit.abouts,
        accesses,
        Findings.join(audit.findings),
        audit.undecided,
        audit.series);
  }

  private void run(String pair, boolean isWanted) throws IOException {
    abouts.put(pair, runs.about(pair));
    Optional<String> objection = runs.objection(pair);
    if (objection.isPresent()) {
      findings.add(notRun(pair, objection.get()));
      if (isWanted) {
        undecided.add("pair " + pair + " was not run: " + objection.get());
      }
      return;
    }
    Judge judge = judged(pair);
    Findings found = judge.findings();
    findings.add(found);
    series.add(judge.series());
    if (!found.hasDistinguisher() && (found.made() == 0 || !runs.isExact(pair))) {
      undecided.add("no distinguisher was tried on pair " + pair + ": " + why(found));
    }
  }

  private static String why(Findings found) {
    return found.list().stream()
        .filter(finding -> finding.check().startsWith("distinguisher"))
        .filter(finding -> finding.observer() == Observer.STORE)
        .findFirst()
        .or(() -> found.list().stream().findFirst())
        .map(Finding::evidence)
        .orElse("nothing was seen");
  }

  private Judge judged(String pair) throws IOException {
    int count = Math.max(LEAST_RUNS, (accesses + LONGEST_RUN_ACCESSES - 1) / LONGEST_RUN_ACCESSES);
    Judge judge = new Judge(pair, Math.max(1, count / 4));
    progress.begin("audit: " + pair, "runs", 2L * count);
    try {
      for (int run = 0; run < count; run++) {
        int each = accesses / count + (run < accesses % count ? 1 : 0);
        var sideA = runs.run(pair, Runs.Side.A, run, each);
        progress.advanceTo(2L * run + 1);
        judge.add(sideA, runs.run(pair, Runs.Side.B, run, each));
        progress.advanceTo(2L * run + 2);
      }
    } finally {
      progress.end();
    }
    return judge;
  }

  private static Findings notRun(String pair, String why) {
    return new Findings(
        List.of(new Finding(pair, Observer.DECLARED, "run", Verdict.NOT_APPLICABLE, why, null)));
  }

  /**
   * The work and the findings of an audit.
   *
   * @param subject what was audited: configuration, store and durability, one line each
   * @param pairs the secret of each pair, by the pair's name, in order
   * @param accesses number of accesses that each side of a pair made, in all its runs
   * @param findings the findings
   * @param undecided reasons why it cannot be said that nothing was told apart, one sentence each:
   *     a requested pair was not run, or no distinguisher was tried on it
   * @param series data for pictures, one for each pair
   */
  public record AuditReport(
      List<String> subject,
      Map<String, String> pairs,
      long accesses,
      Findings findings,
      List<String> undecided,
      List<PairSeries> series) {

    /** Copies are kept. */
    public AuditReport {
      subject = List.copyOf(subject);
      pairs = Collections.unmodifiableMap(new LinkedHashMap<>(pairs));
      undecided = List.copyOf(undecided);
      series = List.copyOf(series);
    }
  }

  /** Where an audit gets its views from: makes one run of a side of a pair of workloads. */
  public interface Runs {

    /** A side of a pair. */
    enum Side {
      /** The first workload. */
      A,
      /** The second one. */
      B
    }

    /** Returns the names of all pairs that there are, also of those that cannot be run here. */
    List<String> names();

    /** Returns what must not show in a pair: half a sentence. */
    String about(String pair);

    /** Returns why a pair cannot be run here, in a sentence; empty if it can. */
    Optional<String> objection(String pair);

    /** Returns whether all that is seen of the two sides of a pair must be equal, chance or not. */
    boolean isExact(String pair);

    /**
     * Returns what was audited, as it was opened, a line each; asked for once the runs are made.
     */
    List<String> subject();

    /**
     * Makes a run on a new store.
     *
     * @param seed what the run may choose follows from it; both sides of a pair declare the same
     *     size classes under the same seed
     * @param accesses how many it has
     * @throws IOException if the store fails
     */
    Seen run(String pair, Side side, long seed, int accesses) throws IOException;
  }
}
