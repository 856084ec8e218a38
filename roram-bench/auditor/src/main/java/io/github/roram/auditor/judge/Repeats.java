package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Action;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a client made of the requests that a store failed: it must ask for each once more, the same,
 * whatever it was for; one that is dropped says that nobody needed it. After a failed write the
 * reads before it may be repeated, too.
 */
final class Repeats {

  private final List<Request> requests;
  private final Set<Integer> again = new HashSet<>();
  private final List<Request> dropped = new ArrayList<>();
  private final int failures;

  /** Works them out: the numbers are those of failed requests. */
  Repeats(List<Request> requests, Set<Long> failed) {
    this.requests = requests;
    int count = 0;
    for (int i = 0; i < requests.size(); i++) {
      Request request = requests.get(i);
      if (request.isTransfer() && failed.contains(request.number())) {
        count++;
        again.add(i);
        repeated(i);
      }
    }
    failures = count;
  }

  private void repeated(int index) {
    Request failed = requests.get(index);
    int end = next(failed, index + 1);
    if (end < 0) {
      dropped.add(failed);
      return;
    }
    boolean write = failed.action() == Action.WRITE;
    for (int i = index - 1; write && i >= 0 && !requests.get(i).declared(); i--) {
      Request before = requests.get(i);
      if (before.isTransfer() && before.action() == Action.WRITE) {
        break;
      }
      int same = before.isTransfer() ? next(before, index + 1) : -1;
      if (same >= 0 && same < end) {
        again.add(i);
      }
    }
  }

  private int next(Request request, int from) {
    for (int i = from; i < requests.size(); i++) {
      Request other = requests.get(i);
      if (other.isTransfer()
          && other.action() == request.action()
          && other.extents().equals(request.extents())) {
        return i;
      }
    }
    return -1;
  }

  /** All but those of which the same comes again later: what these show, that one shows. */
  List<Request> others() {
    List<Request> others = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      if (!again.contains(i)) {
        others.add(requests.get(i));
      }
    }
    return others;
  }

  /** All steps, where those of the others are known. */
  List<Step> between(List<Step> others, StoreMap map) {
    List<Step> steps = new ArrayList<>();
    int next = 0;
    for (int i = 0; i < requests.size(); i++) {
      steps.add(again.contains(i) ? again(requests.get(i), map) : others.get(next++));
    }
    return steps;
  }

  private static Step again(Request request, StoreMap map) {
    StoreMap.Level level = map.levelAt(request.extents().get(0).offset());
    return Step.of(request, Step.Kind.REPEATED, level == null ? -1 : level.tree());
  }

  /** Of how many requests that failed. */
  int failures() {
    return failures;
  }

  /** Those that were not asked for again. */
  List<Request> dropped() {
    return dropped;
  }
}
