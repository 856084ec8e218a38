package io.github.roram.auditor;

import io.github.roram.auditor.judge.Finding;
import io.github.roram.auditor.judge.Findings;
import io.github.roram.auditor.judge.Judge;
import io.github.roram.auditor.judge.PairSeries;
import io.github.roram.auditor.judge.Verdict;
import io.github.roram.bench.ProgressListener;
import io.github.roram.storage.view.Observer;
import java.io.IOException;
import java.util.ArrayList;
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

  private Audit() {}

  /**
   * Audits.
   *
   * @param subject what is audited, a line each
   * @param pairs names of the pairs
   * @param accesses of each side of a pair, at least {@link #LEAST_ACCESSES}
   * @param progress is told of every run; may throw to stop
   * @throws IOException if a store fails
   */
  public static AuditReport run(
      Runs runs, List<String> subject, List<String> pairs, int accesses, ProgressListener progress)
      throws IOException {
    if (accesses < LEAST_ACCESSES) {
      throw new IllegalArgumentException(
          "accesses is " + accesses + ", must be at least " + LEAST_ACCESSES);
    }
    Map<String, String> abouts = new LinkedHashMap<>();
    List<Findings> findings = new ArrayList<>();
    List<PairSeries> series = new ArrayList<>();
    for (String pair : pairs) {
      abouts.put(pair, runs.about(pair));
      Optional<String> objection = runs.objection(pair);
      if (objection.isPresent()) {
        findings.add(notRun(pair, objection.get()));
        continue;
      }
      Judge judge = run(runs, pair, accesses, progress);
      findings.add(judge.findings());
      series.add(judge.series());
    }
    return new AuditReport(subject, abouts, accesses, Findings.join(findings), series);
  }

  private static Judge run(Runs runs, String pair, int accesses, ProgressListener progress)
      throws IOException {
    int count = Math.max(LEAST_RUNS, (accesses + LONGEST_RUN_ACCESSES - 1) / LONGEST_RUN_ACCESSES);
    int each = accesses / count;
    Judge judge = new Judge(pair, Math.max(1, count / 4));
    progress.begin("audit: " + pair, "runs", 2L * count);
    try {
      for (int run = 0; run < count; run++) {
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
}
