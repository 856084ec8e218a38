package io.github.roram.auditor.judge;

import io.github.roram.auditor.judge.Chance.LeastLikely;
import io.github.roram.auditor.judge.Check.CheckOutcome;
import io.github.roram.auditor.judge.Check.ViewCheck;
import io.github.roram.auditor.judge.ShownPaths.ShownLabels;
import io.github.roram.storage.view.Observer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Checks of the labels that reads show. */
final class LabelChecks {

  private LabelChecks() {}

  /** Returns the number of leaves of the smallest tree with labels, since a tree may grow. */
  private static int leastLeaves(List<ShownLabels.Label> labels) {
    return labels.stream().mapToInt(ShownLabels.Label::leaves).min().orElse(1);
  }

  /**
   * Labels that reads show are uniform: Pearson's chi-squared test for each tree, by the labels'
   * high bits (neighbouring paths) and by their low bits (paths that share their upper part).
   *
   * <p>While a tree was not written once all over, a label is uniform over the leaves that were;
   * what is expected in each bin is added up label by label.
   */
  static final class LabelUniformity extends ViewCheck {

    private static final int MOST_BINS = 256;

    private final Map<Integer, List<ShownLabels.Label>> shown = new HashMap<>();
    private List<Integer> trees = List.of();

    LabelUniformity() {
      super(Observer.STORE, "uniform labels");
    }

    @Override
    void add(Seen run) {
      trees = ShownLabels.trees(run.config());
      for (int tree : trees) {
        shown
            .computeIfAbsent(tree, number -> new ArrayList<>())
            .addAll(ShownLabels.oneOfEachRead(ShownLabels.of(run, tree)));
      }
    }

    @Override
    CheckOutcome outcome() {
      LeastLikely least = new LeastLikely();
      for (int tree : trees) {
        List<ShownLabels.Label> labels = shown.getOrDefault(tree, List.of());
        int bins = bins(labels.size(), leastLeaves(labels));
        if (bins < 2) {
          continue;
        }
        for (boolean high : new boolean[] {true, false}) {
          least.add(
              test(labels, bins, high),
              () ->
                  String.format(
                      Locale.ROOT,
                      "tree %d: %d labels in %d bins by their %s bits",
                      tree,
                      labels.size(),
                      bins,
                      high ? "high" : "low"));
        }
      }
      return least.outcome("too few labels were shown");
    }

    /** Returns the most bins, a power of two, in which enough labels are expected. */
    private static int bins(int labels, int leaves) {
      int bins = Math.min(MOST_BINS, leaves);
      while (bins > 1 && labels < 2 * Chance.LEAST_EXPECTED * bins) {
        bins /= 2;
      }
      return bins;
    }

    private static double test(List<ShownLabels.Label> labels, int bins, boolean high) {
      double[] counts = new double[bins];
      double[] expected = new double[bins];
      for (ShownLabels.Label label : labels) {
        int width = label.leaves() / bins;
        counts[high ? label.label() / width : label.label() % bins]++;
        for (int bin = 0; bin < bins; bin++) {
          double inBin =
              high
                  ? Math.max(0, Math.min(width, label.among() - bin * width))
                  : (label.among() + bins - 1 - bin) / bins;
          expected[bin] += inBin / label.among();
        }
      }
      // Bins in which little is expected go together with the one before.
      double[][] merged = merge(counts, expected);
      return merged[0].length < 2
          ? 1
          : Chance.chiSquared(Chance.pearson(merged[0], merged[1]), merged[0].length - 1);
    }

    private static double[][] merge(double[] counts, double[] expected) {
      List<double[]> bins = new ArrayList<>();
      for (int bin = 0; bin < counts.length; bin++) {
        double[] last = bins.isEmpty() ? null : bins.get(bins.size() - 1);
        boolean small = expected[bin] < Chance.LEAST_EXPECTED;
        if (last != null && (small || last[1] < Chance.LEAST_EXPECTED)) {
          last[0] += counts[bin];
          last[1] += expected[bin];
        } else {
          bins.add(new double[] {counts[bin], expected[bin]});
        }
      }
      double[][] merged = new double[2][bins.size()];
      for (int bin = 0; bin < bins.size(); bin++) {
        merged[0][bin] = bins.get(bin)[0];
        merged[1][bin] = bins.get(bin)[1];
      }
      return merged;
    }
  }

  /**
   * Labels that reads show are independent of each other and of what is declared: chi-squared tests
   * of the labels of two reads of a tree that lie 1, 2, 3 or 8 reads apart, by their high and low
   * bits, and of a label with the size class of the access after it.
   */
  static final class LabelIndependence extends ViewCheck {

    private static final int[] LAGS = {1, 2, 3, 8};
    private static final int MOST_BINS = 16;

    private final Map<Integer, List<List<ShownLabels.Label>>> shown = new HashMap<>();
    private final List<long[]> classes = new ArrayList<>();
    private List<Integer> trees = List.of();

    LabelIndependence() {
      super(Observer.STORE, "independent labels");
    }

    @Override
    void add(Seen run) {
      trees = ShownLabels.trees(run.config());
      for (int tree : trees) {
        List<ShownLabels.Label> complete = ShownLabels.oneOfEachRead(ShownLabels.of(run, tree));
        complete.removeIf(label -> !label.isComplete());
        shown.computeIfAbsent(tree, number -> new ArrayList<>()).add(complete);
      }
      classes.add(run.classes());
    }

    @Override
    CheckOutcome outcome() {
      Map<String, Double> probabilities = new TreeMap<>();
      for (int tree : trees) {
        List<List<ShownLabels.Label>> labels = shown.getOrDefault(tree, List.of());
        List<ShownLabels.Label> all = labels.stream().flatMap(List::stream).toList();
        int bins = bins(all.size(), leastLeaves(all));
        if (bins >= 2) {
          lags(tree, labels, bins, probabilities);
          nextClass(tree, labels, bins, probabilities);
        }
      }
      if (probabilities.isEmpty()) {
        return CheckOutcome.notApplicable("too few labels were shown");
      }
      Map.Entry<String, Double> least =
          Collections.min(probabilities.entrySet(), Map.Entry.comparingByValue());
      return CheckOutcome.byChance(
          Math.min(1, least.getValue() * probabilities.size()),
          probabilities.size() + " tests, the least likely: " + least.getKey());
    }

    private static int bins(int labels, int leaves) {
      int bins = Math.min(MOST_BINS, leaves);
      while (bins > 1 && labels < 2 * Chance.LEAST_EXPECTED * bins * bins) {
        bins /= 2;
      }
      return bins;
    }

    private static int bin(ShownLabels.Label label, int bins) {
      return label.label() / (label.leaves() / bins);
    }

    private static void lags(
        int tree, List<List<ShownLabels.Label>> runs, int bins, Map<String, Double> probabilities) {
      for (int lag : LAGS) {
        double[][] low = new double[bins][bins];
        double[][] high = new double[bins][bins];
        double[][] mixed = new double[bins][bins];
        for (List<ShownLabels.Label> labels : runs) {
          for (int i = lag; i < labels.size(); i++) {
            ShownLabels.Label first = labels.get(i - lag);
            ShownLabels.Label second = labels.get(i);
            low[first.label() % bins][second.label() % bins]++;
            high[bin(first, bins)][bin(second, bins)]++;
            mixed[first.label() % bins][bin(second, bins)]++;
          }
        }
        String where = String.format(Locale.ROOT, "tree %d, %d apart, ", tree, lag);
        put(probabilities, where + "low bits", low);
        put(probabilities, where + "high bits", high);
        put(probabilities, where + "low and high bits", mixed);
      }
    }

    private void nextClass(
        int tree,
        List<List<ShownLabels.Label>> labels,
        int bins,
        Map<String, Double> probabilities) {
      Map<Long, double[]> low = new HashMap<>();
      Map<Long, double[]> high = new HashMap<>();
      for (int run = 0; run < labels.size(); run++) {
        long[] ofRun = classes.get(run);
        for (ShownLabels.Label label : labels.get(run)) {
          int next = (int) label.access() + 1;
          if (next < ofRun.length) {
            low.computeIfAbsent(ofRun[next], c -> new double[bins])[label.label() % bins]++;
            high.computeIfAbsent(ofRun[next], c -> new double[bins])[bin(label, bins)]++;
          }
        }
      }
      String where = "tree " + tree + ", class of the next access, ";
      put(probabilities, where + "low bits", low.values().toArray(double[][]::new));
      put(probabilities, where + "high bits", high.values().toArray(double[][]::new));
    }

    /** Tests a table unless too little is expected in it. */
    private static void put(Map<String, Double> probabilities, String what, double[][] table) {
      List<double[]> rows = new ArrayList<>(List.of(table));
      rows.removeIf(row -> Arrays.stream(row).sum() < row.length * Chance.LEAST_EXPECTED);
      if (rows.size() >= 2) {
        probabilities.put(what, Chance.independence(rows.toArray(double[][]::new)));
      }
    }
  }

  /**
   * No label is shown for a second reason. Two labels of a tree with 2^h leaves are equal by chance
   * with probability 2^−h; how many equal pairs there are among reads that lie near each other, and
   * among reads before and after a crash, has a known distribution. More of them say that a range
   * was read twice under one label: because it was not given a fresh one, or because the journal
   * lost it. The one repetition right after a crash is declared, and not counted.
   */
  static final class SingleUse extends ViewCheck {

    /** Reads that lie at most so far apart are near each other. */
    private static final int[] DISTANCES = {1, 4, 16, 64, 256};

    private final Map<Integer, Pairs[]> counted = new HashMap<>();
    private List<Integer> trees = List.of();

    SingleUse() {
      super(Observer.STORE, "labels shown once");
    }

    @Override
    void add(Seen run) {
      trees = ShownLabels.trees(run.config());
      for (int tree : trees) {
        Pairs[] pairs = counted.computeIfAbsent(tree, number -> newPairs());
        List<ShownLabels.Label> labels = new ArrayList<>(ShownLabels.of(run, tree));
        near(labels, pairs);
        labels.removeIf(label -> !label.isComplete());
        all(labels, pairs[DISTANCES.length]);
        acrossCrashes(labels, pairs[DISTANCES.length + 1]);
      }
    }

    @Override
    CheckOutcome outcome() {
      LeastLikely least = new LeastLikely();
      for (int tree : trees) {
        Pairs[] pairs = counted.getOrDefault(tree, new Pairs[0]);
        for (int i = 0; i < pairs.length; i++) {
          if (pairs[i].expected > 0) {
            int index = i;
            least.add(pairs[i].probability(), () -> evidence(tree, pairs[index], index));
          }
        }
      }
      return least.outcome("no labels were shown");
    }

    private static String evidence(int tree, Pairs pairs, int index) {
      String where =
          index < DISTANCES.length
              ? "reads at most " + DISTANCES[index] + " apart"
              : index == DISTANCES.length ? "all reads" : "reads before and after a crash";
      return String.format(
          Locale.ROOT,
          "tree %d, %s: %d labels shown again, %.3g expected%s",
          tree,
          where,
          pairs.equal,
          pairs.expected,
          pairs.first == null ? "" : ", first in access " + pairs.first);
    }

    /** Returns the pairs at each distance, at any distance, and across crashes. */
    private static Pairs[] newPairs() {
      Pairs[] pairs = new Pairs[DISTANCES.length + 2];
      Arrays.setAll(pairs, i -> new Pairs());
      return pairs;
    }

    private static void near(List<ShownLabels.Label> labels, Pairs[] pairs) {
      for (int i = 0; i < labels.size(); i++) {
        ShownLabels.Label second = labels.get(i);
        long[] equal = new long[DISTANCES.length];
        double[] expected = new double[DISTANCES.length];
        for (int j = i - 1; j >= 0; j--) {
          ShownLabels.Label first = labels.get(j);
          int distance = second.read() - first.read();
          if (distance > DISTANCES[DISTANCES.length - 1]) {
            break;
          }
          boolean grown = first.leaves() != second.leaves();
          int least = Math.min(first.leaves(), second.leaves());
          double chance = 1.0 / (grown ? least : Math.max(first.among(), second.among()));
          boolean isEqual = first.label() % least == second.label() % least;
          for (int d = DISTANCES.length - 1;
              d >= 0 && distance > 0 && distance <= DISTANCES[d];
              d--) {
            equal[d] += isEqual ? 1 : 0;
            expected[d] += chance;
          }
        }
        for (int d = 0; d < DISTANCES.length; d++) {
          pairs[d].add(equal[d], expected[d], second.access());
        }
      }
    }

    static void all(List<ShownLabels.Label> labels, Pairs pairs) {
      Before before = new Before();
      for (ShownLabels.Label label : labels) {
        before.compare(label, pairs);
        before.add(label);
      }
    }

    /**
     * Labels that were shown, by the leaves that their tree had: of one of a tree that has grown
     * since, the bits that those before have as well are compared.
     */
    private static final class Before {
      private final TreeMap<Integer, Map<Integer, Long>> shown = new TreeMap<>();
      private final Map<Integer, Long> sizes = new HashMap<>();

      void add(ShownLabels.Label label) {
        shown
            .computeIfAbsent(label.leaves(), leaves -> new HashMap<>())
            .merge(label.label(), 1L, Long::sum);
        sizes.merge(label.leaves(), 1L, Long::sum);
      }

      void compare(ShownLabels.Label label, Pairs pairs) {
        long equal = 0;
        double expected = 0;
        for (var entry : shown.headMap(label.leaves(), true).entrySet()) {
          int leaves = entry.getKey();
          equal += entry.getValue().getOrDefault(label.label() % leaves, 0L);
          expected += (double) sizes.getOrDefault(leaves, 0L) / leaves;
        }
        pairs.add(equal, expected, label.access());
      }
    }

    /** Compares each label with those of the previous life. */
    private static void acrossCrashes(List<ShownLabels.Label> labels, Pairs pairs) {
      Map<Integer, Before> byLife = new HashMap<>();
      for (ShownLabels.Label label : labels) {
        byLife.computeIfAbsent(label.life(), life -> new Before()).add(label);
        byLife.getOrDefault(label.life() - 1, new Before()).compare(label, pairs);
      }
    }

    /** Equal pairs, and how many are expected. */
    static final class Pairs {
      private long equal;
      private double expected;
      private double squares;
      private @Nullable Long first;

      /** Returns the probability of this many or more. */
      double probability() {
        return Chance.equalPairs(equal, expected, squares);
      }

      /** Adds a label, with the actual and the expected number of equal labels before it. */
      void add(long found, double mean, long access) {
        equal += found;
        expected += mean;
        squares += mean * mean;
        if (found > 0 && first == null) {
          first = access;
        }
      }
    }
  }
}
