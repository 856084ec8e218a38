package io.github.roram.auditor;

import io.github.roram.auditor.judge.Finding;
import io.github.roram.auditor.judge.Findings;
import io.github.roram.auditor.judge.Verdict;
import io.github.roram.auditor.overlap.JudgedRuns;
import io.github.roram.auditor.overlap.OverlapPairs;
import io.github.roram.auditor.overlap.OverlapRuns;
import io.github.roram.bench.ProgressListener;
import io.github.roram.storage.view.Observer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** As {@link Audit}, of accesses that overlap. */
public final class OverlapAudit {

  private OverlapAudit() {}

  /**
   * Audits.
   *
   * @param pairs names of the pairs; those that are not for accesses that overlap are not run
   * @param accesses of each side of a pair, at least {@link Audit#LEAST_ACCESSES}
   * @param progress is told of every run; may throw to stop
   * @throws IOException if a store fails
   */
  public static AuditReport run(
      OverlapRuns runs, List<String> pairs, int accesses, ProgressListener progress)
      throws IOException {
    Map<String, String> abouts = new LinkedHashMap<>();
    List<Findings> findings = new ArrayList<>();
    for (String pair : pairs) {
      String about = OverlapPairs.about(pair).orElse("");
      abouts.put(pair, about.isEmpty() ? "anything but size classes" : about);
      findings.add(about.isEmpty() ? notRun(pair) : JudgedRuns.of(runs, pair, accesses, progress));
    }
    List<String> subject =
        List.of(
            runs.config().toString(),
            "store in memory, " + runs.inFlight() + " accesses in flight, answers in drawn order");
    return new AuditReport(subject, abouts, accesses, Findings.join(findings), List.of());
  }

  private static Findings notRun(String pair) {
    String why =
        pair
            + " is not for accesses that overlap, use one of "
            + String.join(", ", OverlapPairs.names());
    return new Findings(
        List.of(new Finding(pair, Observer.DECLARED, "run", Verdict.NOT_APPLICABLE, why, null)));
  }
}
