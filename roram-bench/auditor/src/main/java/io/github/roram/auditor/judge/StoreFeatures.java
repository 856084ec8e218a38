package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Action;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts, lengths and labels of what the store saw in each access. */
final class StoreFeatures {

  private static final int READS = 0;
  private static final int WRITES = 1;
  private static final int SYNCS = 2;
  private static final int EXTENTS = 3;
  private static final int BYTES_READ = 4;
  private static final int BYTES_WRITTEN = 5;
  private static final int EVICTIONS = 6;
  private static final int UNEXPLAINED = 7;
  private static final int BUCKETS = 8;
  private static final int LEAVES = 9;
  private static final int LOW_BITS = 10;
  private static final int HIGH_BITS = 11;
  private static final int DIFFERENCE = 12;
  private static final int RECENT = 13;
  private static final int NEAREST = 14;
  private static final int COUNT = 15;

  private static final int RECENT_LABELS = 32;
  private static final int BINS = 8;

  private StoreFeatures() {}

  static List<double[]> of(Seen seen) {
    double[][] vectors = new double[seen.classes().length][COUNT];
    Map<Integer, Deque<Integer>> recent = new HashMap<>();
    for (Step step : seen.steps()) {
      if (step.kind() == Step.Kind.DECLARED || step.access() >= vectors.length) {
        continue;
      }
      double[] vector = vectors[(int) step.access()];
      count(step, vector);
      Shown shown = step.shown();
      if (shown != null && !shown.labels().isEmpty()) {
        labels(shown, recent.computeIfAbsent(step.tree(), tree -> new ArrayDeque<>()), vector);
      }
    }
    return vectors.length == 0
        ? List.of()
        : new ArrayList<>(Arrays.asList(vectors).subList(1, vectors.length));
  }

  private static void count(Step step, double[] vector) {
    Request request = step.request();
    long bytes = request.extents().stream().mapToLong(Request.Extent::bytes).sum();
    if (request.action() == Action.READ) {
      vector[READS]++;
      vector[BYTES_READ] += step.kind() == Step.Kind.PATHS ? 0 : bytes;
      vector[EXTENTS] += step.kind() == Step.Kind.PATHS ? 0 : request.extents().size();
    } else if (request.action() == Action.WRITE) {
      vector[WRITES]++;
      vector[BYTES_WRITTEN] += bytes;
    } else if (request.action() == Action.SYNC) {
      vector[SYNCS]++;
    }
    vector[EVICTIONS] += step.paths();
    vector[UNEXPLAINED] += step.kind() == Step.Kind.UNEXPLAINED ? 1 : 0;
  }

  private static void labels(Shown shown, Deque<Integer> recent, double[] vector) {
    vector[BUCKETS] += shown.buckets();
    vector[LEAVES] += shown.leaves().size();
    int all = shown.allLeaves();
    // Labels of a read come in order; only the place of one of them would say something of that.
    int first = shown.labels().get(shown.buckets() % shown.labels().size());
    vector[LOW_BITS] = first % BINS;
    vector[HIGH_BITS] = Math.floor((double) first * BINS / all);
    Integer last = recent.peekLast();
    vector[DIFFERENCE] = last == null ? 0 : (double) Math.floorMod(first - last, all) / all;
    double nearest = 1;
    for (int label : shown.labels()) {
      for (int other : recent) {
        int apart = Math.floorMod(label - other, all);
        nearest = Math.min(nearest, (double) Math.min(apart, all - apart) / all);
        vector[RECENT] += label == other ? 1 : 0;
      }
    }
    vector[NEAREST] = nearest;
    shown.labels().forEach(recent::addLast);
    while (recent.size() > RECENT_LABELS) {
      recent.removeFirst();
    }
  }
}
