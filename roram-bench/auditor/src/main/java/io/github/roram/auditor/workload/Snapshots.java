package io.github.roram.auditor.workload;

import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import io.github.roram.storage.view.View;

/**
 * An adversary of snapshots: he looks at what the store holds after each request, so that he sees
 * every write, and sees no read, nor the line on which reads go.
 */
final class Snapshots {

  private Snapshots() {}

  /** What he sees of a view. */
  static View of(View view) {
    return new View(view.config(), view.sights().stream().filter(Snapshots::isSeen).toList());
  }

  private static boolean isSeen(Sight sight) {
    return sight.observer() != Observer.NETWORK
        && (sight.observer() != Observer.STORE || sight.action() != Action.READ);
  }
}
