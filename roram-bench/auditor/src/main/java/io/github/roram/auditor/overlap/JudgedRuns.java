package io.github.roram.auditor.overlap;

import io.github.roram.auditor.judge.Findings;
import io.github.roram.auditor.judge.OverlapJudge;
import io.github.roram.bench.ProgressListener;
import java.io.IOException;

/** Runs of both sides of a pair, judged. */
public final class JudgedRuns {

  /** Of so many runs one is for learning. */
  private static final int LEARN_FROM = 4;

  private static final int LONGEST_RUN_ACCESSES = 2000;

  private JudgedRuns() {}

  /**
   * Runs and judges a pair.
   *
   * @param accesses of each side, in all its runs
   * @throws IOException if a store fails
   */
  public static Findings of(OverlapRuns runs, String pair, int accesses, ProgressListener progress)
      throws IOException {
    OverlapPairs.Pair both = OverlapPairs.named(pair);
    int count = Math.max(LEARN_FROM, (accesses + LONGEST_RUN_ACCESSES - 1) / LONGEST_RUN_ACCESSES);
    OverlapJudge judge = new OverlapJudge(pair, count / LEARN_FROM);
    progress.begin("audit: " + pair, "runs", count);
    try {
      for (int run = 0; run < count; run++) {
        judge.add(
            runs.run(both.left(), accesses / count, run),
            runs.run(both.right(), accesses / count, run));
        progress.advanceTo(run + 1L);
      }
    } finally {
      progress.end();
    }
    return judge.findings();
  }
}
