package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Observer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Labels that reads show are uniform: Pearson's chi-squared test for each tree, by the labels' high
 * bits (neighbouring paths) and by their low bits (paths that share their upper part).
 *
 * <p>While a tree was not written once all over, a label is uniform over the leaves that were; what
 * is expected in each bin is added up label by label.
 */
final class LabelUniformity implements ViewCheck {

  private static final int MOST_BINS = 256;

  private final Map<Integer, List<ShownLabels.Label>> shown = new HashMap<>();
  private List<StoreMap.Tree> trees = List.of();

  @Override
  public Observer observer() {
    return Observer.STORE;
  }

  @Override
  public String name() {
    return "uniform labels";
  }

  @Override
  public void add(Seen run) {
    List<StoreMap.Tree> found = new StoreMap(run.config()).trees();
    for (StoreMap.Tree tree : found) {
      shown
          .computeIfAbsent(tree.number(), number -> new ArrayList<>())
          .addAll(ShownLabels.oneOfEachRead(ShownLabels.of(run, tree.number())));
    }
    trees = found;
  }

  @Override
  public Outcome outcome() {
    double least = 2;
    int tests = 0;
    String evidence = "";
    for (StoreMap.Tree tree : trees) {
      List<ShownLabels.Label> labels = shown.getOrDefault(tree.number(), List.of());
      int bins = bins(labels.size(), tree.leaves());
      if (bins < 2) {
        continue;
      }
      for (boolean high : new boolean[] {true, false}) {
        double probability = test(labels, tree.leaves(), bins, high);
        tests++;
        if (probability < least) {
          least = probability;
          evidence =
              String.format(
                  Locale.ROOT,
                  "tree %d: %d labels in %d bins by their %s bits",
                  tree.number(),
                  labels.size(),
                  bins,
                  high ? "high" : "low");
        }
      }
    }
    return tests == 0
        ? Outcome.notApplicable("too few labels were shown")
        : Outcome.byChance(Math.min(1, least * tests), evidence);
  }

  /** The most bins, a power of two, in which enough labels are expected. */
  private static int bins(int labels, int leaves) {
    int bins = Math.min(MOST_BINS, leaves);
    while (bins > 1 && labels < 2 * Chance.LEAST_EXPECTED * bins) {
      bins /= 2;
    }
    return bins;
  }

  private static double test(List<ShownLabels.Label> labels, int leaves, int bins, boolean high) {
    double[] counts = new double[bins];
    double[] expected = new double[bins];
    int width = leaves / bins;
    for (ShownLabels.Label label : labels) {
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
