package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Observer;
import org.jspecify.annotations.Nullable;

/**
 * Every request to the store is explained: evictions are those that the counter says, each read of
 * random paths is of current buckets of whole paths, each bucket once. What is left over is a leak,
 * whatever it depends on.
 */
final class ExplainedRequests implements ViewCheck {

  private long explained;
  private long left;
  private String first = "";

  @Override
  public Observer observer() {
    return Observer.STORE;
  }

  @Override
  public String name() {
    return "whole paths, counted evictions";
  }

  @Override
  public void add(Seen run) {
    for (Step step : run.steps()) {
      String wrong = wrong(step);
      if (wrong == null) {
        explained += step.request().isTransfer() ? 1 : 0;
      } else if (left++ == 0) {
        first = "access " + step.access() + ": " + wrong;
      }
    }
  }

  @Override
  public Outcome outcome() {
    if (left > 0) {
      return Outcome.apart(left + " requests follow from nothing public; " + first);
    }
    return explained == 0
        ? Outcome.notApplicable("the store saw nothing")
        : Outcome.alike(explained + " requests are explained");
  }

  private static @Nullable String wrong(Step step) {
    if (step.kind() == Step.Kind.UNEXPLAINED) {
      return "a " + step.request().action() + " in tree " + step.tree() + " that no counter says";
    }
    Shown shown = step.shown();
    if (step.kind() == Step.Kind.PATHS && shown != null && !shown.wholePaths()) {
      return "a READ in tree " + step.tree() + " that is not of whole current paths";
    }
    return null;
  }
}
