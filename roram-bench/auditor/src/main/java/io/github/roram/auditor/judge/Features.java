package io.github.roram.auditor.judge;

import io.github.roram.auditor.judge.OverlapView.Asked;
import io.github.roram.auditor.judge.Seen.Extent;
import io.github.roram.auditor.judge.Seen.SeenRequest;
import io.github.roram.auditor.judge.Seen.Step;
import io.github.roram.auditor.judge.ShownPaths.Shown;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import io.github.roram.store.IoPhase;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a distinguisher is given of a run: a vector of numbers for each access, or for each window
 * of accesses. Where in the run an access stands is not among them, nor what threads alongside the
 * accesses do, whose timing is the machine's.
 */
final class Features {

  private Features() {}

  /** Vectors of single accesses, oldest first. */
  static List<double[]> ofAccesses(Seen seen, Observer observer) {
    return switch (observer) {
      case STORE -> {
        OverlapView overlap = seen.overlap();
        yield overlap == null ? StoreFeatures.of(seen) : OverlapFeatures.of(overlap.asked());
      }
      case VAULT -> VaultFeatures.of(seen);
      case NETWORK -> NetworkFeatures.of(seen);
      case ENGINE -> EngineFeatures.of(seen);
      case BACKUP, DECLARED -> List.of();
    };
  }

  /** Returns the vectors of accesses, which are numbered from 1. */
  private static List<double[]> fromFirst(double[][] vectors) {
    return vectors.length == 0
        ? List.of()
        : new ArrayList<>(Arrays.asList(vectors).subList(1, vectors.length));
  }

  /** Sums and largest values of each feature over windows that do not overlap. */
  static List<double[]> ofWindows(List<double[]> accesses, int windowAccesses) {
    List<double[]> windows = new ArrayList<>();
    for (int first = 0; first + windowAccesses <= accesses.size(); first += windowAccesses) {
      int width = accesses.get(first).length;
      double[] window = new double[2 * width];
      for (double[] access : accesses.subList(first, first + windowAccesses)) {
        for (int i = 0; i < width; i++) {
          window[i] += access[i];
          window[width + i] = Math.max(window[width + i], access[i]);
        }
      }
      windows.add(window);
    }
    return windows;
  }

  /** Counts, lengths and labels of what the store saw in each access. */
  static final class StoreFeatures {

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
      return fromFirst(vectors);
    }

    private static void count(Step step, double[] vector) {
      SeenRequest request = step.request();
      long bytes = request.extents().stream().mapToLong(Extent::bytes).sum();
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

  /** Counts and lengths of what the accesses themselves change in the vault. */
  static final class VaultFeatures {

    private static final int APPENDS = 0;
    private static final int APPENDED = 1;
    private static final int LONGEST = 2;
    private static final int LAST = 3;
    private static final int SYNCS = 4;
    private static final int SAVES = 5;
    private static final int SAVED = 6;
    private static final int COUNT = 7;

    private VaultFeatures() {}

    static List<double[]> of(Seen seen) {
      double[][] vectors = new double[seen.classes().length][COUNT];
      for (Sight sight : seen.of(Observer.VAULT)) {
        boolean beside = sight.request() != 0;
        if (beside || sight.access() >= vectors.length) {
          continue;
        }
        double[] vector = vectors[(int) sight.access()];
        if (sight.action() == Action.APPEND) {
          vector[APPENDS]++;
          vector[APPENDED] += sight.bytes();
          vector[LONGEST] = Math.max(vector[LONGEST], sight.bytes());
          vector[LAST] = sight.bytes();
        } else if (sight.action() == Action.SYNC) {
          vector[SYNCS]++;
        } else if (sight.action() == Action.SAVE) {
          vector[SAVES]++;
          vector[SAVED] += sight.bytes();
        }
      }
      return fromFirst(vectors);
    }
  }

  /** Counts and lengths of what goes over the line in each access. */
  static final class NetworkFeatures {

    private static final int SUMS = 4;
    private static final int LONGEST_SENT = SUMS;
    private static final int LONGEST_RECEIVED = SUMS + 1;
    private static final int COUNT = SUMS + 2;

    private NetworkFeatures() {}

    static List<double[]> of(Seen seen) {
      long[][] sums = NetworkShapes.perAccess(seen);
      double[][] vectors = new double[sums.length][COUNT];
      for (int access = 0; access < sums.length; access++) {
        for (int i = 0; i < SUMS; i++) {
          vectors[access][i] = sums[access][i];
        }
      }
      for (Sight sight : seen.of(Observer.NETWORK)) {
        if (sight.access() < vectors.length) {
          double[] vector = vectors[(int) sight.access()];
          int place = sight.action() == Action.SEND ? LONGEST_SENT : LONGEST_RECEIVED;
          vector[place] = Math.max(vector[place], sight.bytes());
        }
      }
      return fromFirst(vectors);
    }
  }

  /** Counts and lengths of what the accesses themselves ask an engine for: reads, then writes. */
  static final class EngineFeatures {

    private static final int REQUESTS = 0;
    private static final int BYTES = 1;
    private static final int LONGEST = 2;
    private static final int OF_WRITES = 3;

    private EngineFeatures() {}

    static List<double[]> of(Seen seen) {
      double[][] vectors = new double[seen.classes().length][2 * OF_WRITES];
      for (Sight sight : seen.of(Observer.ENGINE)) {
        boolean isTransfer = sight.action() == Action.READ || sight.action() == Action.SAVE;
        if (isTransfer && sight.bytes() > 0 && sight.access() < vectors.length) {
          double[] vector = vectors[(int) sight.access()];
          int from = sight.action() == Action.SAVE ? OF_WRITES : 0;
          vector[from + REQUESTS]++;
          vector[from + BYTES] += sight.bytes();
          vector[from + LONGEST] = Math.max(vector[from + LONGEST], sight.bytes());
        }
      }
      return fromFirst(vectors);
    }
  }

  /**
   * The input of a distinguisher for overlapping accesses: a vector for each read of paths. It
   * contains the number of extents, the places of the deepest buckets, what they have in common
   * with earlier ones, other requests in between and the number in flight.
   */
  static final class OverlapFeatures {

    /** How many requests before are compared with one. */
    private static final int BEFORE = 12;

    /** Number of a request's deepest extents whose places are used. */
    private static final int DEEPEST = 4;

    private static final int FIXED = 4;

    private OverlapFeatures() {}

    static List<double[]> of(List<Asked> asked) {
      List<double[]> vectors = new ArrayList<>();
      List<Set<Long>> before = new ArrayList<>();
      int others = 0;
      for (Asked next : asked) {
        if (next.phase() != IoPhase.READ) {
          others++;
          continue;
        }
        vectors.add(vector(next, before, others));
        Set<Long> offsets = new HashSet<>();
        next.extents().forEach(extent -> offsets.add(extent.offset()));
        before.add(offsets);
        others = 0;
      }
      return vectors;
    }

    private static double[] vector(Asked of, List<Set<Long>> before, int others) {
      double[] vector = new double[FIXED + DEEPEST + BEFORE];
      List<Extent> extents = of.extents();
      vector[0] = of.tree();
      vector[1] = extents.size();
      vector[2] = of.waiting();
      vector[3] = others;
      for (int i = 0; i < Math.min(DEEPEST, extents.size()); i++) {
        vector[FIXED + i] = extents.get(extents.size() - 1 - i).offset();
      }
      for (int back = 1; back <= Math.min(BEFORE, before.size()); back++) {
        Set<Long> earlier = before.get(before.size() - back);
        vector[FIXED + DEEPEST + back - 1] =
            extents.stream().filter(extent -> earlier.contains(extent.offset())).count();
      }
      return vector;
    }
  }
}
