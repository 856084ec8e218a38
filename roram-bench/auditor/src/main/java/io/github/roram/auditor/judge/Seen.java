package io.github.roram.auditor.judge;

import io.github.roram.OramConfig;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import io.github.roram.storage.view.View;
import java.util.ArrayList;
import java.util.List;

/**
 * A view, and what a server understands of it.
 *
 * @param view the view
 * @param steps what the store saw, understood
 */
record Seen(View view, List<Step> steps) {

  static Seen of(View view) {
    return new Seen(view, StoreHistory.of(view));
  }

  OramConfig config() {
    return view.config();
  }

  /** What one observer saw, oldest first. */
  List<Sight> of(Observer observer) {
    return view.sights().stream().filter(sight -> sight.observer() == observer).toList();
  }

  boolean has(Observer observer) {
    return view.sights().stream().anyMatch(sight -> sight.observer() == observer);
  }

  /** What may show: size classes of accesses, crashes and bulk loads, in order. */
  List<String> declared() {
    List<String> declared = new ArrayList<>();
    for (Sight sight : of(Observer.DECLARED)) {
      declared.add(sight.action() + " " + sight.bytes());
    }
    return declared;
  }

  /** Blocks of the size class of each access, by its number from 1; place 0 is unused. */
  long[] classes() {
    List<Sight> declared = of(Observer.DECLARED);
    long most = declared.stream().mapToLong(Sight::access).max().orElse(0);
    long[] classes = new long[(int) most + 1];
    for (Sight sight : declared) {
      if (sight.action() == Action.ACCESS) {
        classes[(int) sight.access()] = sight.bytes();
      }
    }
    return classes;
  }
}
