package io.github.roram.auditor.judge;

import io.github.roram.auditor.judge.Check.CheckOutcome;
import io.github.roram.auditor.judge.Check.ViewCheck;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Each object is written once; buckets are read of objects that were written, within them. */
final class WrittenOnce extends ViewCheck {

  private long objects;
  private @Nullable String wrong;

  WrittenOnce() {
    super(Observer.ENGINE, "objects written once");
  }

  @Override
  void add(Seen run) {
    Map<String, Long> there = new HashMap<>();
    for (Sight sight : run.of(Observer.ENGINE)) {
      if (sight.action() == Action.SAVE) {
        objects++;
        if (there.put(sight.name(), sight.bytes()) != null) {
          wrong = sight.name() + " is written twice";
        }
      } else if (EnginePlaces.readsBuckets(sight)
          && there.getOrDefault(sight.name(), 0L) < sight.offset() + sight.bytes()) {
        wrong = sight.name() + " is read, and was not written so far";
      }
    }
  }

  @Override
  CheckOutcome outcome() {
    return CheckOutcome.ofAll(
        objects, wrong, "the engine saw nothing", objects + " objects were written once");
  }
}
