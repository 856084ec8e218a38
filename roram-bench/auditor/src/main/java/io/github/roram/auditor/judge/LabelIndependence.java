package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Observer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Labels that reads show are independent of each other and of what is declared: chi-squared tests
 * of the labels of two reads of a tree that lie 1, 2, 3 or 8 reads apart, by their high and low
 * bits, and of a label with the size class of the access after it.
 */
final class LabelIndependence implements ViewCheck {

  private static final int[] LAGS = {1, 2, 3, 8};
  private static final int MOST_BINS = 16;

  private final Map<Integer, List<List<ShownLabels.Label>>> shown = new HashMap<>();
  private final List<long[]> classes = new ArrayList<>();
  private List<StoreMap.Tree> trees = List.of();

  @Override
  public Observer observer() {
    return Observer.STORE;
  }

  @Override
  public String name() {
    return "independent labels";
  }

  @Override
  public void add(Seen run) {
    List<StoreMap.Tree> found = new StoreMap(run.config()).trees();
    for (StoreMap.Tree tree : found) {
      List<ShownLabels.Label> complete =
          ShownLabels.oneOfEachRead(ShownLabels.of(run, tree.number()));
      complete.removeIf(label -> label.among() != tree.leaves());
      shown.computeIfAbsent(tree.number(), number -> new ArrayList<>()).add(complete);
    }
    trees = found;
    classes.add(run.classes());
  }

  @Override
  public Outcome outcome() {
    Map<String, Double> probabilities = new TreeMap<>();
    for (StoreMap.Tree tree : trees) {
      List<List<ShownLabels.Label>> labels = shown.getOrDefault(tree.number(), List.of());
      int count = labels.stream().mapToInt(List::size).sum();
      int bins = bins(count, tree.leaves());
      if (bins >= 2) {
        lags(tree, labels, bins, probabilities);
        nextClass(tree, labels, bins, probabilities);
      }
    }
    if (probabilities.isEmpty()) {
      return Outcome.notApplicable("too few labels were shown");
    }
    Map.Entry<String, Double> least =
        Collections.min(probabilities.entrySet(), Map.Entry.comparingByValue());
    return Outcome.byChance(
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

  private static void lags(
      StoreMap.Tree tree,
      List<List<ShownLabels.Label>> runs,
      int bins,
      Map<String, Double> probabilities) {
    int width = tree.leaves() / bins;
    for (int lag : LAGS) {
      double[][] low = new double[bins][bins];
      double[][] high = new double[bins][bins];
      double[][] mixed = new double[bins][bins];
      for (List<ShownLabels.Label> labels : runs) {
        for (int i = lag; i < labels.size(); i++) {
          int first = labels.get(i - lag).label();
          int second = labels.get(i).label();
          low[first % bins][second % bins]++;
          high[first / width][second / width]++;
          mixed[first % bins][second / width]++;
        }
      }
      String where = String.format(Locale.ROOT, "tree %d, %d apart, ", tree.number(), lag);
      put(probabilities, where + "low bits", low);
      put(probabilities, where + "high bits", high);
      put(probabilities, where + "low and high bits", mixed);
    }
  }

  private void nextClass(
      StoreMap.Tree tree,
      List<List<ShownLabels.Label>> labels,
      int bins,
      Map<String, Double> probabilities) {
    Map<Long, double[]> low = new HashMap<>();
    Map<Long, double[]> high = new HashMap<>();
    int width = tree.leaves() / bins;
    for (int run = 0; run < labels.size(); run++) {
      long[] ofRun = classes.get(run);
      for (ShownLabels.Label label : labels.get(run)) {
        int next = (int) label.access() + 1;
        if (next < ofRun.length) {
          low.computeIfAbsent(ofRun[next], c -> new double[bins])[label.label() % bins]++;
          high.computeIfAbsent(ofRun[next], c -> new double[bins])[label.label() / width]++;
        }
      }
    }
    String where = "tree " + tree.number() + ", class of the next access, ";
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
