package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import io.github.roram.storage.view.View;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Makes views of schemes that leak from those of one that does not. */
final class Leaks {

  private Leaks() {}

  /** Changes what one observer sees of an action in one of {@code every} accesses. */
  static View change(
      View view, Observer observer, Action action, int every, UnaryOperator<Sight> change) {
    List<Sight> sights = new ArrayList<>();
    for (Sight sight : view.sights()) {
      boolean changed =
          sight.observer() == observer && sight.action() == action && sight.access() % every == 0;
      sights.add(changed ? change.apply(sight) : sight);
    }
    return new View(view.config(), sights);
  }

  static Sight longer(Sight sight, long moreBytes) {
    return new Sight(
        sight.access(),
        sight.observer(),
        sight.action(),
        sight.request(),
        sight.name(),
        sight.offset(),
        sight.bytes() + moreBytes);
  }

  /** Repeats the first request of one of {@code every} accesses, as for a block that is written. */
  static View oneMoreRequest(View view, int every) {
    List<Sight> sights = new ArrayList<>();
    long last = 0;
    for (Sight sight : view.sights()) {
      boolean repeated =
          sight.observer() == Observer.STORE
              && sight.action() == Action.READ
              && sight.access() != last
              && sight.access() % every == 0;
      sights.add(sight);
      if (repeated) {
        last = sight.access();
        sights.add(
            new Sight(
                sight.access(),
                Observer.STORE,
                Action.READ,
                -sight.access(),
                "",
                sight.offset(),
                sight.bytes()));
      }
    }
    return new View(view.config(), sights);
  }

  /** Leaves out the last bucket of the longest extent that scans read. */
  static View shortenScan(View view) {
    List<Sight> sights = new ArrayList<>(view.sights());
    int bucketBytes = new StoreMap(view.config()).bucketBytes();
    boolean scan = false;
    int longest = -1;
    for (int i = 0; i < sights.size(); i++) {
      Sight sight = sights.get(i);
      scan = sight.observer() == Observer.DECLARED ? sight.action() == Action.SCAN : scan;
      boolean read = sight.observer() == Observer.STORE && sight.action() == Action.READ;
      if (scan && read && (longest < 0 || sight.bytes() > sights.get(longest).bytes())) {
        longest = i;
      }
    }
    sights.set(longest, longer(sights.get(longest), -bucketBytes));
    return new View(view.config(), sights);
  }

  /**
   * Declares the size class above for accesses of one, so that their reads lack one run of labels:
   * as if a range that is read for nothing were skipped.
   */
  static View skipOneRun(View view, long classBlocks, int every) {
    return change(
        view,
        Observer.DECLARED,
        Action.ACCESS,
        every,
        sight -> sight.bytes() == classBlocks ? longer(sight, classBlocks) : sight);
  }
}
