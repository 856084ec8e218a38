package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Observer;
import java.util.Objects;

/**
 * Not a judgement of the client but of the runs: reads were under way together, as were reads and
 * evictions; and chunks were read ahead, where the scheme does that. What did not happen was not
 * judged.
 */
final class ReallyOverlapped implements ViewCheck {

  private int most;
  private long beside;
  private long ahead;
  private boolean readsAhead;

  @Override
  public Observer observer() {
    return Observer.DECLARED;
  }

  @Override
  public String name() {
    return "what overlapped";
  }

  @Override
  public void add(Seen run) {
    OverlapView overlap = Objects.requireNonNull(run.overlap());
    most = Math.max(most, overlap.mostReads());
    beside += overlap.readsBesideEvictions();
    ahead += overlap.readAhead();
    readsAhead = !new StoreMap(run.config()).isClassic();
  }

  @Override
  public Outcome outcome() {
    if (most < 2 || beside == 0) {
      return Outcome.notApplicable(
          "at most " + most + " reads were under way, and " + beside + " beside evictions");
    }
    String evidence = most + " reads under way, " + beside + " beside evictions";
    if (!readsAhead) {
      return Outcome.alike(evidence);
    }
    return ahead == 0
        ? Outcome.notApplicable(
            evidence + "; no chunk was read ahead: take smaller chunks or a larger treetop")
        : Outcome.alike(evidence + ", " + ahead + " slices of chunks read ahead");
  }
}
