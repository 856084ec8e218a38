package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Collects what pictures of one side are drawn from. */
final class SideSeries {

  private static final int BINS = 32;

  /** More points than this cannot be told apart in a picture. */
  private static final int MOST_ACCESSES = 1000;

  private final List<Long> appended = new ArrayList<>();
  private final List<Long> saved = new ArrayList<>();
  private final long[] labels = new long[BINS];
  private boolean started;

  void add(Seen run) {
    if (!started) {
      started = true;
      first(run);
    }
    List<StoreMap.Tree> trees = new StoreMap(run.config()).trees();
    if (trees.isEmpty()) {
      return;
    }
    int leaves = trees.get(0).leaves();
    for (ShownLabels.Label label : ShownLabels.of(run, 0)) {
      labels[(int) ((long) label.label() * BINS / leaves)]++;
    }
  }

  private void first(Seen run) {
    long[] sums = new long[Math.min(run.classes().length, MOST_ACCESSES)];
    for (Sight sight : run.of(Observer.VAULT)) {
      if (sight.action() == Action.APPEND && sight.access() < sums.length) {
        sums[(int) sight.access()] += sight.bytes();
      } else if (sight.action() == Action.SAVE) {
        saved.add(sight.bytes());
      }
    }
    Arrays.stream(sums).skip(1).forEach(appended::add);
  }

  List<Long> appended() {
    return List.copyOf(appended);
  }

  List<Long> saved() {
    return List.copyOf(saved);
  }

  List<Long> labels() {
    return Arrays.stream(labels).boxed().toList();
  }
}
