package io.github.roram.auditor.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.auditor.judge.Findings;
import io.github.roram.auditor.judge.Judge;
import io.github.roram.auditor.workload.RunSettings.AuditedRun;
import java.io.IOException;

/** An audit of a pair by a few runs of each side. */
public final class SmallAudit {

  private SmallAudit() {}

  /**
   * What a judge finds.
   *
   * @param pair must be one for these settings
   * @param trainingRuns as {@link Judge} takes them
   */
  public static Findings of(Pair pair, RunSettings settings, int runs, int trainingRuns)
      throws IOException {
    assertThat(pair.objection(settings)).isEmpty();
    Judge judge = new Judge(pair.name(), trainingRuns);
    for (int seed = 0; seed < runs; seed++) {
      judge.add(
          AuditedRun.seen(pair.left(), settings, seed),
          AuditedRun.seen(pair.right(), settings, seed));
    }
    return judge.findings();
  }
}
