package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Observer;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Of accesses that overlap both sides make as many, of the same size classes, and get the store's
 * answers in the same order; what the store is asked for then, and when, must be equal, and so must
 * what is recorded in the vault. A difference is laid to who sees the first one; after it nothing
 * need be equal.
 */
final class OverlappedEvents implements PairCheck {

  private final Observer observer;
  private int runs;
  private long events;
  private @Nullable String difference;

  OverlappedEvents(Observer observer) {
    this.observer = observer;
  }

  @Override
  public Observer observer() {
    return observer;
  }

  @Override
  public String name() {
    return switch (observer) {
      case STORE -> "requests and when";
      case VAULT -> "records and when";
      default -> "calls and answers";
    };
  }

  @Override
  public void add(Seen sideA, Seen sideB) {
    runs++;
    List<OverlapView.Event> a = Objects.requireNonNull(sideA.overlap()).events();
    List<OverlapView.Event> b = Objects.requireNonNull(sideB.overlap()).events();
    events += a.stream().filter(event -> event.observer() == observer).count();
    int at = 0;
    while (at < Math.min(a.size(), b.size()) && a.get(at).equals(b.get(at))) {
      at++;
    }
    OverlapView.@Nullable Event inA = at < a.size() ? a.get(at) : null;
    OverlapView.@Nullable Event inB = at < b.size() ? b.get(at) : null;
    if (difference == null && isMine(inA, inB)) {
      difference =
          String.format(
              Locale.ROOT,
              "run %d, event %d: one side %s, the other %s",
              runs,
              at + 1,
              text(inA),
              text(inB));
    }
  }

  /** Calls and answers are what differs only where neither of the others sees it. */
  private boolean isMine(OverlapView.@Nullable Event a, OverlapView.@Nullable Event b) {
    if (observer == Observer.DECLARED) {
      return (a != null || b != null) && isOf(a, observer, true) && isOf(b, observer, true);
    }
    return isOf(a, observer, false) || isOf(b, observer, false);
  }

  private static boolean isOf(
      OverlapView.@Nullable Event event, Observer observer, boolean ifNone) {
    return event == null ? ifNone : event.observer() == observer;
  }

  private static String text(OverlapView.@Nullable Event event) {
    return event == null ? "nothing" : event.text();
  }

  @Override
  public Outcome outcome() {
    if (difference != null) {
      return Outcome.apart(difference);
    }
    return events == 0
        ? Outcome.notApplicable("when they come is by chance here")
        : Outcome.alike(events + " follow from calls and answers in " + runs + " runs");
  }
}
