package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Observer;

/** Every request that the store failed is asked for again: see {@link Repeats}. */
final class AskedAgain implements ViewCheck {

  private long failures;
  private long dropped;
  private String first = "";

  @Override
  public Observer observer() {
    return Observer.STORE;
  }

  @Override
  public String name() {
    return "failed requests repeated";
  }

  @Override
  public void add(Seen run) {
    Repeats repeats = run.repeats();
    failures += repeats.failures();
    for (Request request : repeats.dropped()) {
      if (dropped++ == 0) {
        first = "a " + request.action() + " in access " + request.access();
      }
    }
  }

  @Override
  public Outcome outcome() {
    if (dropped > 0) {
      return Outcome.apart(
          dropped + " of " + failures + " requests that failed were not repeated, first " + first);
    }
    return failures == 0
        ? Outcome.notApplicable("the store failed no request")
        : Outcome.alike(failures + " requests that failed were asked for again, the same");
  }
}
