package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import io.github.roram.storage.view.View;
import java.util.ArrayList;
import java.util.List;

/**
 * One request to the store with its extents, or something that the run declares between requests.
 *
 * @param access number of the access that was under way
 * @param number its number among all requests, from 1; 0 for what has none
 * @param action what was done
 * @param declared whether the run says so, and the store does not see it
 * @param extents where, in the order of the request; one of length 0 for what has no place
 */
record Request(long access, long number, Action action, boolean declared, List<Extent> extents) {

  /**
   * A contiguous piece of the store.
   *
   * @param offset its first byte
   * @param bytes its length
   */
  record Extent(long offset, long bytes) {}

  boolean isTransfer() {
    return !declared && (action == Action.READ || action == Action.WRITE);
  }

  /**
   * What the store saw, request by request, with what was declared in between. A watermark that
   * comes with a checkpoint, beside accesses, is left out: when the vault's record is saved is
   * judged there.
   */
  static List<Request> of(View view) {
    List<Request> requests = new ArrayList<>();
    List<Extent> extents = new ArrayList<>();
    Sight last = null;
    for (Sight sight : view.sights()) {
      boolean inStep = sight.action() != Action.WATERMARK || sight.request() == 0;
      if (!inStep
          || (sight.observer() != Observer.STORE && sight.observer() != Observer.DECLARED)) {
        continue;
      }
      if (last != null && !isSameRequest(last, sight)) {
        requests.add(of(last, extents));
        extents = new ArrayList<>();
      }
      extents.add(new Extent(sight.offset(), sight.bytes()));
      last = sight;
    }
    if (last != null) {
      requests.add(of(last, extents));
    }
    return requests;
  }

  private static Request of(Sight sight, List<Extent> extents) {
    boolean declared = sight.observer() == Observer.DECLARED;
    return new Request(
        sight.access(), sight.request(), sight.action(), declared, List.copyOf(extents));
  }

  private static boolean isSameRequest(Sight first, Sight second) {
    return first.observer() == Observer.STORE
        && second.observer() == Observer.STORE
        && first.action() == second.action()
        && (first.action() == Action.READ || first.action() == Action.WRITE)
        && first.request() == second.request();
  }
}
